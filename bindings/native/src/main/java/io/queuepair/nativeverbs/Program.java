// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ReregMr;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** A program that calls verbs. */
abstract class Program {
  private final HandleTable handles = new HandleTable();

  /** The program for which this thread works. */
  static Program current() {
    return ProgramThread.current().program();
  }

  final HandleTable handles() {
    return handles;
  }

  /** Takes asynchronous events: their type, and the structure of C or the port they are about. */
  interface AsyncEventOutput {
    void pass(int type, long element);
  }

  /**
   * Where asynchronous events go.
   *
   * @param handle of the context
   */
  abstract AsyncEventOutput openAsyncEvents(long handle);

  /**
   * Where notifications go: the structures of completion queues.
   *
   * @param handle of the channel
   */
  abstract LongConsumer openCompletionEvents(long handle);

  /** Makes the descriptor of the connection manager readable (1), or not (0). */
  abstract RdmaCmDescriptor openRdmaCm();

  /** A descriptor of the connection manager. */
  interface RdmaCmDescriptor extends IntConsumer {
    /** Belongs to a file from now on. */
    void attachTo(long handle);
  }

  /** Passes events again that were read; of an open channel or context. */
  abstract void putBack(long handle, ByteBuffer events, int at, int bytes);

  /** Lets the program poll a completion queue by itself. */
  abstract void share(CompletionQueue cq, long handle, ByteBuffer args);

  /**
   * A range of memory for a region.
   *
   * @param isOnDemand whether each access asks what the program may do then; otherwise its pages
   *     are as good as pinned, and what it protects later stays accessible
   */
  abstract HostMemory range(long address, long length, boolean isOnDemand);

  /**
   * Pins the memory of a region, until its handle is removed; its memory before is pinned no more.
   *
   * @return what pins it, when the region has its handle
   * @throws VerbsException ENOMEM if the program may not pin so much
   */
  abstract LongConsumer pin(long address, long length);

  /**
   * Changes a region.
   *
   * @param request without a buffer; its address, if it moves, is where the memory begins
   * @param length of the memory it moves to
   */
  abstract void rereg(MemoryRegion region, ReregMr request, long length);

  /** A copy of memory. */
  abstract ByteBuffer read(long address, long length);

  /** Memory to be filled: {@link #written} tells that it is. */
  abstract ByteBuffer room(long address, long length);

  /** Puts what {@link #room} gave to where it belongs. */
  abstract void written(long address, ByteBuffer filled);

  /** The descriptor that was drained since the last call: its handle, or 0. */
  abstract long takeDrained();
}
