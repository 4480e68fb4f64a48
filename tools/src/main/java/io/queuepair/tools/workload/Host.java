package io.queuepair.tools.workload;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** One device, with what its queue pairs share. */
final class Host {
  static final int SOURCE_BYTES = 16 << 10;

  static final int CQE = 4_096;
  private static final int BATCH = 64;
  private static final int WORDS_BYTES = 4_096;
  private static final ByteBuffer ZEROES = ByteBuffer.allocate(WORDS_BYTES).asReadOnlyBuffer();

  private final String name;
  private final Journal journal;
  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final Map<Integer, Side> sides = new TreeMap<>();
  private final WorkCompletion[] batch = new WorkCompletion[BATCH];

  /** Random bytes that never change: what is sent, and read by peers. */
  private final byte[] source = new byte[SOURCE_BYTES];

  private final ByteBuffer sourceBytes;
  private final MemoryRegion sourceRegion;
  private final MemoryRegion wordsRegion;
  private final ByteBuffer words;
  private final Tally tally;

  /** Words handed out, the first of which is the tally. */
  private int wordsUsed = 1;

  /**
   * Opens a device.
   *
   * @param name one letter
   * @param random of the bytes that never change
   */
  Host(String name, Device device, Random random, Journal journal) {
    this.name = name;
    this.journal = journal;
    context = device.open();
    pd = context.allocPd();
    sendCq = context.createCq(CQE);
    recvCq = context.createCq(CQE);
    random.nextBytes(source);
    sourceBytes = ByteBuffer.allocateDirect(SOURCE_BYTES).put(source).flip();
    sourceRegion = pd.regMr(sourceBytes, AccessFlag.REMOTE_READ);
    words = ByteBuffer.allocateDirect(WORDS_BYTES).order(ByteOrder.nativeOrder());
    wordsRegion =
        pd.regMr(
            words,
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_ATOMIC,
            AccessFlag.FLUSH_GLOBAL);
    tally = new Tally(words, 0, wordsRegion.addr());
    journal.registered(this, "source", sourceRegion, false);
    journal.registered(this, "words", wordsRegion, false);
  }

  /** What it is called in scenarios. */
  String name() {
    return name;
  }

  Journal journal() {
    return journal;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  Gid gid() {
    return context.queryGid(1, 0);
  }

  MemoryRegion sourceRegion() {
    return sourceRegion;
  }

  MemoryRegion wordsRegion() {
    return wordsRegion;
  }

  Tally tally() {
    return tally;
  }

  /** Eight bytes for one queue pair of a peer. */
  Word newWord() {
    int offset = Long.BYTES * wordsUsed++;
    return new Word(words, offset, wordsRegion.addr() + offset);
  }

  Arena newArena(String arena, int slots, Set<AccessFlag> access) {
    return new Arena(arena, this, slots, access);
  }

  /** A part of the bytes that never change. */
  byte[] source(int from, int bytes) {
    return Arrays.copyOfRange(source, from, from + bytes);
  }

  void add(Side side) {
    sides.put(side.qp().qpNum(), side);
  }

  /** Hands every completion that is there to its queue pair: what was received first. */
  boolean poll(Trace trace) {
    boolean any = false;
    for (CompletionQueue cq : List.of(recvCq, sendCq)) {
      for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
        any = true;
        journal.polled(this, cq == sendCq);
        for (WorkCompletion completion : new ArrayList<>(Arrays.asList(batch).subList(0, count))) {
          trace.completion(completion);
          Side side = sides.get(completion.qpNum());
          Violation.unless(side != null, "a completion of no queue pair: %s", completion);
          if (cq == recvCq) {
            side.receives().completed(completion);
          } else {
            side.sends().completed(completion);
          }
        }
      }
    }
    return any;
  }

  /** Whether the device has failed since this was last asked for. */
  boolean hasDied() {
    boolean hasDied = false;
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      context.ackAsyncEvent(event.get());
      hasDied |= event.get().eventType() == EventType.DEVICE_FATAL;
      event = context.getAsyncEvent(Duration.ZERO);
    }
    return hasDied;
  }

  /** What never changes has not, and what the atomics left behind is right. */
  void verify() {
    int wrong = sourceBytes.mismatch(ByteBuffer.wrap(source));
    Violation.unless(wrong < 0, "memory that is only read has changed at %d", wrong);
    tally.verify();
    int used = Long.BYTES * wordsUsed;
    int changed =
        words.slice(used, WORDS_BYTES - used).mismatch(ZEROES.slice(used, WORDS_BYTES - used));
    Violation.unless(changed < 0, "memory behind the atomics has changed at %d", changed);
  }
}
