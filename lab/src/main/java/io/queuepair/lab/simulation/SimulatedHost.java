// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.shard.TraceHash;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A device, with the objects that its queue pairs share. */
final class SimulatedHost {
  /** Number of offsets in the constant memory at which messages begin. */
  static final int SOURCE_OFFSETS = 12_184;

  static final int CQE = 4_096;

  /** Name of the region in another protection domain. */
  static final String FOREIGN = "foreign";

  private static final int BATCH = 64;
  private static final int WORDS_BYTES = 4_096;
  private static final int FOREIGN_BYTES = WORDS_BYTES;
  private static final ByteBuffer ZEROES = ByteBuffer.allocate(WORDS_BYTES).asReadOnlyBuffer();

  private final String name;

  /** Whether neither the device nor its ports fail. */
  final boolean isSteady;

  final SimulationListener listener;
  private final Context context;
  final ProtectionDomain pd;
  final CompletionQueue sendCq;
  final CompletionQueue recvCq;
  private final Map<Integer, SimulatedQp> sides = new TreeMap<>();
  private final WorkCompletion[] batch = new WorkCompletion[BATCH];

  /** Random bytes that never change: data of sends, and of READs by peers. */
  private final byte[] source;

  /** Length of the longest message that may arrive. */
  final int longestMessageBytes;

  private final ByteBuffer sourceBytes;
  final MemoryRegion sourceRegion;
  final MemoryRegion wordsRegion;
  private final ByteBuffer words;
  final SharedCounter counter;

  /** Memory with all access rights, in another protection domain than the queue pairs. */
  final MemoryRegion foreignRegion;

  /** Number of words in use; the first one is the shared counter. */
  private int wordsUsed = 1;

  /**
   * Opens a device.
   *
   * @param isSteady whether neither the device nor its ports fail
   */
  SimulatedHost(
      String name,
      Device device,
      WorkTestCase testCase,
      Random random,
      SimulationListener listener,
      boolean isSteady) {
    this.name = name;
    this.isSteady = isSteady;
    this.listener = listener;
    context = device.open();
    pd = context.allocPd();
    sendCq = context.createCq(CQE);
    recvCq = context.createCq(CQE);
    longestMessageBytes = testCase.longestArrivingBytes();
    source = new byte[SOURCE_OFFSETS + testCase.longestBytes()];
    random.nextBytes(source);
    sourceBytes = ByteBuffer.allocateDirect(source.length).put(source).flip();
    sourceRegion = pd.regMr(sourceBytes, AccessFlag.REMOTE_READ);
    words = ByteBuffer.allocateDirect(WORDS_BYTES).order(ByteOrder.nativeOrder());
    wordsRegion =
        pd.regMr(
            words,
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_ATOMIC,
            AccessFlag.FLUSH_GLOBAL);
    counter = new SharedCounter(words, 0, wordsRegion.addr());
    listener.registered(this, "source", sourceRegion, false);
    listener.registered(this, "words", wordsRegion, false);
    foreignRegion =
        context
            .allocPd()
            .regMr(
                ByteBuffer.allocateDirect(FOREIGN_BYTES),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
    listener.registered(this, FOREIGN, foreignRegion, false);
  }

  String name() {
    return name;
  }

  Gid gid() {
    return context.queryGid(1, 0);
  }

  /** Allocates eight bytes for the atomics of one queue pair of a peer. */
  AtomicWord newWord() {
    int offset = Long.BYTES * wordsUsed++;
    return new AtomicWord(words, offset, wordsRegion.addr() + offset);
  }

  MemoryPool newArena(String arena, int slots, Set<AccessFlag> access) {
    return new MemoryPool(arena, this, slots, access);
  }

  /** Copies a part of the constant memory. */
  byte[] source(int from, int bytes) {
    return Arrays.copyOfRange(source, from, from + bytes);
  }

  /** A bound window of another queue pair; null if there is none. */
  WindowModel openWindow(SimulatedQp other) {
    for (SimulatedQp side : sides.values()) {
      if (side != other && side.window != null && side.window.isBound()) {
        return side.window;
      }
    }
    return null;
  }

  /** The window to which a key belongs, bound or not; null if there is none. */
  WindowModel windowOf(int rkey) {
    for (SimulatedQp side : sides.values()) {
      if (side.window != null && side.window.isKey(rkey)) {
        return side.window;
      }
    }
    return null;
  }

  void add(SimulatedQp side) {
    sides.put(side.qp().qpNum(), side);
  }

  /** Polls receive completions and passes them to the models of their queue pairs. */
  boolean pollReceives(TraceHash trace) {
    return poll(recvCq, trace);
  }

  /** Polls send completions and passes them to the models of their queue pairs. */
  boolean pollSends(TraceHash trace) {
    return poll(sendCq, trace);
  }

  private boolean poll(CompletionQueue cq, TraceHash trace) {
    boolean any = false;
    for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
      any = true;
      listener.polled(this, cq == sendCq);
      for (WorkCompletion completion : new ArrayList<>(Arrays.asList(batch).subList(0, count))) {
        trace.completion(completion);
        SimulatedQp side = sides.get(completion.qpNum());
        Violation.unless(side != null, "a completion of no queue pair: %s", completion);
        if (cq == recvCq) {
          side.receives.completed(completion);
        } else {
          side.sends.completed(completion);
        }
      }
    }
    return any;
  }

  /** Takes all pending asynchronous events; returns whether the device has failed. */
  boolean takeEvents() {
    boolean hasDied = false;
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      context.ackAsyncEvent(event.get());
      hasDied |= event.get().eventType() == EventType.DEVICE_FATAL;
      if (event.get() instanceof AsyncEvent.QpEvent qpEvent) {
        takeQpEvent(qpEvent.eventType(), qpEvent.qp().qpNum());
      }
      event = context.getAsyncEvent(Duration.ZERO);
    }
    return hasDied;
  }

  private void takeQpEvent(EventType type, int qpNum) {
    if (type == EventType.QP_LAST_WQE_REACHED) {
      sides.get(qpNum).lastWqeReached();
    } else if (type == EventType.COMM_EST) {
      sides.get(qpNum).established();
    }
  }

  /** Checks that constant memory is unchanged and atomics have left allowed values. */
  void verify() {
    int wrong = sourceBytes.mismatch(ByteBuffer.wrap(source));
    Violation.unless(wrong < 0, "memory that is only read has changed at %d", wrong);
    counter.verify();
    int foreign = foreignRegion.buffer().duplicate().rewind().mismatch(ZEROES.duplicate());
    Violation.unless(foreign < 0, "memory of another domain has changed at %d", foreign);
    int used = Long.BYTES * wordsUsed;
    int changed =
        words.slice(used, WORDS_BYTES - used).mismatch(ZEROES.slice(used, WORDS_BYTES - used));
    Violation.unless(changed < 0, "memory behind the atomics has changed at %d", changed);
  }
}
