// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.CqBuffer;
import io.queuepair.emulator.queue.Cqe;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Writes completions to shared memory that the program polls: the ring of {@code protocol.h}. */
final class CompletionRingWriter implements CqBuffer {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int STATUS = 8;
  private static final int QP_NUM = 28;

  private final Consumer<Cqe> failures;
  private final int entries;
  private final long epochNanos;
  private final int bytes;
  private final ByteBuffer ring;
  private int added;
  private int seen;

  /**
   * Maps the ring.
   *
   * @param descriptor of the memory
   * @param entries a power of two
   * @param epochNanos time of day at the origin of time stamps
   * @param failures gets completions of failed work
   */
  CompletionRingWriter(int descriptor, int entries, long epochNanos, Consumer<Cqe> failures) {
    this.failures = failures;
    this.entries = entries;
    this.epochNanos = epochNanos;
    bytes = bytesOf(entries);
    ring = Kernel.mapped(descriptor, bytes);
  }

  static int bytesOf(int entries) {
    return Protocol.RING_ENTRIES + entries * Protocol.RING_ENTRY_BYTES;
  }

  @Override
  public void produce(Cqe cqe) {
    if (!cqe.isSuccess()) {
      failures.accept(cqe);
    }
    int at = place(added);
    WcStruct.write(ring, at, cqe);
    ring.putLong(at + Protocol.RING_ENTRY_TIMESTAMP, cqe.nanos());
    ring.putLong(at + Protocol.RING_ENTRY_WALLCLOCK, epochNanos + cqe.nanos());
    INT.setVolatile(ring, Protocol.RING_ADDED, ++added);
    if ((int) INT.getVolatile(ring, Protocol.RING_SLEEPS) != 0) {
      ring.putInt(Protocol.RING_SLEEPS, 0); // It is awake before it runs.
      Kernel.futexWake(ring, Protocol.RING_ADDED);
    }
  }

  private int place(int index) {
    return Protocol.RING_ENTRIES + (index & (entries - 1)) * Protocol.RING_ENTRY_BYTES;
  }

  /** Counts what the program says it has taken, but never more than was added. */
  @Override
  public int consumed() {
    int taken = (int) INT.getAcquire(ring, Protocol.RING_TAKEN);
    int more = Math.max(0, Math.min(taken - seen, added - seen));
    seen += more;
    return more;
  }

  @Override
  public void clean(int qpn) {
    // An ignored overrun adds more than there are.
    int present = Integer.compareUnsigned(added - seen, entries) > 0 ? entries : added - seen;
    for (int i = added - present; i != added; i++) {
      int at = place(i);
      if (ring.getInt(at + QP_NUM) == qpn) {
        ring.putInt(at + STATUS, Protocol.RING_REMOVED);
      }
    }
  }

  /** Unmaps the memory, which the completion queue must not use any more. */
  void unmap() {
    Kernel.unmap(ring, bytes);
  }
}
