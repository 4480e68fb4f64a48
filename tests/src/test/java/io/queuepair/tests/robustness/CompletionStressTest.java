// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Completions of sends that are acknowledged together: none is lost, and none is late. {@link
 * #main} does the same over UDP for some minutes; a wait that does not end says how far each
 * request has come.
 */
final class CompletionStressTest {
  private static final int SEEDS = 2_500;

  /** Of simulated time: a lost packet is sent again after 67 ms, up to seven times. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int SLOTS = 64;
  private static final int BYTES = 64;
  private static final int BATCHES = 12;
  private static final int MOST_OF_A_BATCH = 4;
  private static final int SIGNALED_ONE_IN = 6;
  private static final int MOST_POLLS = 3;

  /** A request that was posted; an unsignaled one gives no completion. */
  private record PostedRequest(long wrId, QueuePair qp, boolean isSignaled) {
    /** Whether the completion of another says that this one, which gives none, is done, too. */
    private boolean isDoneWith(PostedRequest done) {
      return !isSignaled && qp.equals(done.qp) && wrId < done.wrId;
    }

    /** How far it has come, though it was not polled. */
    private String report(List<WorkCompletion> held) {
      boolean isHeld = held.stream().anyMatch(wc -> wc.wrId() == wrId);
      boolean isPosted =
          DeviceInspector.of(qp).sendQueue().stream().anyMatch(send -> send.wrId() == wrId);
      return this + (isHeld ? " added to CQ\n" : isPosted ? " posted\n" : " acknowledged\n");
    }
  }

  /** Objects that queue pairs of a device need. */
  private record Side(ProtectionDomain pd, CompletionQueue receiveCq, MemoryRegion memory) {
    private static Side of(Context context) {
      ProtectionDomain pd = context.allocPd();
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      MemoryRegion memory = pd.regMr(buffer, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
      return new Side(pd, context.createCq(4 * SLOTS), memory);
    }

    private QueuePair queuePair(CompletionQueue sendCq) {
      QpCap cap = new QpCap(SLOTS, SLOTS, 1, 1, 0);
      return pd.createQp(new QpInitAttr(QpType.RC, sendCq, receiveCq, null, cap, false));
    }

    /** A receive for each send that the peer can post. */
    private void postReceives(QueuePair qp) {
      for (int i = 0; i < SLOTS; i++) {
        qp.postRecv(RecvWr.of(i, memory.sge()));
      }
    }

    private void close() {
      memory.close();
      receiveCq.close();
      pd.close();
    }
  }

  /**
   * Sends of queue pairs that share a completion queue: two that a device has to itself, and one to
   * a peer. Most are unsignaled; in the end each queue pair posts an empty WRITE that is signaled,
   * whose completion stands for all before it. Books are kept of each request.
   */
  private static final class Round implements AutoCloseable {
    private final Random random;
    private final CompletionQueue sendCq;
    private final Side own;
    private final Side peer;
    private final List<QueuePair> queuePairs;

    /** Queue pairs that send, and the memory of their peers. */
    private final Map<QueuePair, MemoryRegion> targets = new LinkedHashMap<>();

    /** Requests that are not known to be done, oldest first. */
    private final Map<Long, PostedRequest> requests = new LinkedHashMap<>();

    private long nextWrId;
    private int signaledLeft;

    Round(Random random, Context ownContext, Context peerContext) {
      this.random = random;
      own = Side.of(ownContext);
      peer = Side.of(peerContext);
      sendCq = ownContext.createCq(4 * SLOTS);
      QueuePair first = own.queuePair(sendCq);
      QueuePair second = own.queuePair(sendCq);
      QueuePair third = own.queuePair(sendCq);
      QueuePair receiver = peer.queuePair(peer.receiveCq);
      queuePairs = List.of(first, second, third, receiver);
      Emulator.connect(first, second);
      Emulator.connect(third, receiver);
      own.postReceives(first);
      own.postReceives(second);
      peer.postReceives(receiver);
      targets.put(first, own.memory);
      targets.put(second, own.memory);
      targets.put(third, peer.memory);
    }

    /** Posts everything, polling now and then, and asks each queue pair for an end. */
    void post() {
      List<QueuePair> senders = List.copyOf(targets.keySet());
      for (int i = 0; i < BATCHES; i++) {
        postBatch(senders.get(random.nextInt(senders.size())));
        for (int polls = random.nextInt(MOST_POLLS); polls > 0; polls--) {
          poll();
        }
      }
      senders.forEach(qp -> qp.postSend(noted(qp, write(qp, 0), true)));
    }

    private void postBatch(QueuePair qp) {
      List<SendWr> batch = new ArrayList<>();
      for (int left = 1 + random.nextInt(MOST_OF_A_BATCH); left > 0; left--) {
        boolean isSend = random.nextBoolean();
        SendWr wr =
            isSend ? SendWr.send(nextWrId, own.memory.sge()) : write(qp, random.nextInt(BYTES));
        batch.add(noted(qp, wr, random.nextInt(SIGNALED_ONE_IN) == 0));
      }
      qp.postSend(batch);
    }

    private SendWr write(QueuePair qp, int bytes) {
      MemoryRegion target = targets.get(qp);
      return SendWr.rdmaWrite(nextWrId, target.addr(), target.rkey(), own.memory.sge(0, bytes));
    }

    private SendWr noted(QueuePair qp, SendWr wr, boolean isSignaled) {
      requests.put(nextWrId, new PostedRequest(nextWrId, qp, isSignaled));
      nextWrId++;
      signaledLeft += isSignaled ? 1 : 0;
      return isSignaled ? wr : wr.unsignaled();
    }

    /** Takes what the completion queue holds. */
    void poll() {
      for (WorkCompletion completion : sendCq.poll(8)) {
        PostedRequest done = requests.remove(completion.wrId());
        if (done == null || !done.isSignaled || !completion.isSuccess()) {
          throw new AssertionError("unexpected: " + completion + " " + completion.explain());
        }
        signaledLeft--;
        requests.values().removeIf(each -> each.isDoneWith(done));
      }
    }

    /** Whether every completion was polled. */
    boolean isDone() {
      return signaledLeft == 0;
    }

    /** How far each request has come that is not known to be done. */
    String report() {
      List<WorkCompletion> held = DeviceInspector.of(sendCq).completions();
      StringBuilder text = new StringBuilder("requests without an end:\n");
      requests.values().forEach(request -> text.append(request.report(held)));
      return text.toString();
    }

    @Override
    public void close() {
      queuePairs.forEach(QueuePair::close);
      own.close();
      peer.close();
      sendCq.close();
    }
  }

  private static void run(long seed, String plan) {
    Random random = new Random(seed);
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withBurstPackets(1 + random.nextInt(32));
    try (Emulator emulator =
        Emulator.builder()
            .fabric(InMemoryFabric.create(options))
            .faultWarnings(unused -> {})
            .faults(FaultPlan.parse(plan).withSeed(seed))
            .build()) {
      Context own = emulator.addDevice("10.0.0.1").open();
      Context peer = emulator.addDevice("10.0.0.2").open();
      Round round = new Round(random, own, peer);
      round.post();
      while (!round.isDone()) {
        round.poll();
        emulator.run(Duration.ofNanos(random.nextInt(5_000)));
        assertThat(emulator.now())
            .as(() -> "seed " + seed + " hangs; " + round.report())
            .isLessThan(LIMIT);
      }
      round.close();
    }
  }

  @Tag("large") // Half a minute, or some on a busy machine.
  @ParameterizedTest
  @CsvSource({
    "1, delay up to 3us 50%",
    "20001, drop 1%; delay up to 5us 20%",
    "40001, reorder 10%; delay up to 20us 20%",
    "60001, duplicate 5%; delay 1us 50%"
  })
  void everySignaledSendIsPolled(long firstSeed, String plan) {
    for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
      run(seed, plan);
    }
  }

  /**
   * Runs rounds over UDP on this host until time is up, or one does not end.
   *
   * @param args minutes, and an address of the loopback network
   */
  public static void main(String[] args) {
    long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.parseLong(args[0]));
    long rounds = 0;
    long posted = 0;
    long longestNanos = 0;
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      Context own = emulator.addDevice(args[1] + ".1").open();
      Context peer = emulator.addDevice(args[1] + ".2").open();
      while (System.nanoTime() - endNanos < 0) {
        Round round = new Round(new Random(rounds), own, peer);
        round.post();
        long beginNanos = System.nanoTime();
        while (!round.isDone()) {
          round.poll();
          if (System.nanoTime() - beginNanos > HANG_NANOS) {
            System.out.println("round " + rounds + " hangs; " + round.report() + emulator.report());
            System.exit(1);
          }
        }
        longestNanos = Math.max(longestNanos, System.nanoTime() - beginNanos);
        posted += round.nextWrId;
        round.close();
        rounds++;
      }
    }
    System.out.printf(
        "%d rounds, %d requests, each completed; longest end of a round %.1f ms%n",
        rounds, posted, longestNanos / 1e6);
  }
}
