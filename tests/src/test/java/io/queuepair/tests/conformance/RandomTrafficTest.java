// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random messages in both directions over a network that loses, doubles, delays and collects: each
 * completes exactly once, in order, with every byte right and no other byte touched. A failure
 * names the seed.
 */
final class RandomTrafficTest {
  private static final int OPERATIONS = 40;
  private static final int FIRST_PSN = 0xff_ffc0;

  private static Pair pair(Random random, int percentFaults) {
    Mtu mtu = Mtu.values()[random.nextInt(3)];
    long batchNanos = random.nextInt(3) * 5_000L;
    int reads = 1 + random.nextInt(4);
    FaultyFabric fabric = new FaultyFabric(datagram -> fate(random, percentFaults), batchNanos);
    return Pair.on(fabric)
        .mtu(mtu)
        .cap(new QpCap(OPERATIONS, OPERATIONS, 4, 4, 0))
        .rtr(attr -> attr.rqPsn(FIRST_PSN).minRnrTimer(1).maxDestRdAtomic(reads))
        .rts(attr -> attr.sqPsn(FIRST_PSN).retryCnt(7).rnrRetry(7).timeout(10).maxRdAtomic(reads))
        .connect();
  }

  private static DatagramFate fate(Random random, int percentFaults) {
    if (random.nextInt(100) >= percentFaults) {
      return DatagramFate.PASS;
    }
    return switch (random.nextInt(3)) {
      case 0 -> DatagramFate.DROP;
      case 1 -> DatagramFate.TWICE;
      default -> DatagramFate.LATE;
    };
  }

  private static void run(long seed, int percentFaults) {
    Random random = new Random(seed);
    try (Pair pair = pair(random, percentFaults)) {
      RandomFlow there = new RandomFlow(random, pair.a(), pair.b());
      RandomFlow back = new RandomFlow(random, pair.b(), pair.a());
      for (int wrId = 0; wrId < OPERATIONS; wrId++) {
        there.post(wrId);
        back.post(wrId);
        pair.run(Duration.ofNanos(random.nextInt(20_000)));
        there.postLateReceives();
        back.postLateReceives();
      }
      pair.drain();

      there.assertEverythingOnce();
      back.assertEverythingOnce();
      assertThat(pair.a().state()).isEqualTo(QpState.RTS);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
    }
  }

  @Property(tries = 50, seed = "1", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceOnAGoodNetwork(@ForAll long seed) {
    run(seed, 0);
  }

  @Property(tries = 100, seed = "2", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithAFewFaults(@ForAll long seed) {
    run(seed, 2);
  }

  @Property(tries = 100, seed = "3", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithManyFaults(@ForAll long seed) {
    run(seed, 20);
  }

  /** Random operations that one endpoint asks of another, and what must come of them. */
  private static final class RandomFlow {
    private final Random random;
    private final TestEndpoint from;
    private final TestEndpoint to;
    private final List<String> expectedSends = new ArrayList<>();
    private final List<String> expectedReceives = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();

    /** Receives that are posted only after the message was sent. */
    private final List<RecvWr> lateReceives = new ArrayList<>();

    /** What is checked of one operation when everything is done. */
    private record Check(GuardedRegion target, int length, int seed) {}

    RandomFlow(Random random, TestEndpoint from, TestEndpoint to) {
      this.random = random;
      this.from = from;
      this.to = to;
    }

    private int length() {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextInt(4);
        case 1 -> random.nextInt(300);
        case 2 -> 256 * random.nextInt(12);
        default -> random.nextInt(6000);
      };
    }

    void post(int wrId) {
      from.qp().postSend(request(wrId, length()));
    }

    private SendWr request(int wrId, int length) {
      return switch (random.nextInt(4)) {
        case 0 -> send(wrId, length);
        case 1 -> writeWithImmediate(wrId, length);
        case 2 -> write(wrId, length);
        default -> read(wrId, length);
      };
    }

    private GuardedRegion source(TestEndpoint endpoint, int wrId, int length) {
      GuardedRegion source = GuardedRegion.in(endpoint, length);
      source.fill(Bytes.pattern(length, wrId));
      return source;
    }

    private GuardedRegion target(TestEndpoint endpoint, int wrId, int length) {
      GuardedRegion target = GuardedRegion.in(endpoint, length);
      checks.add(new Check(target, length, wrId));
      return target;
    }

    private SendWr send(int wrId, int length) {
      receive(RecvWr.of(wrId, target(to, wrId, length).sge()));
      expectedSends.add(wrId + " SEND");
      expectedReceives.add(wrId + " RECV " + length);
      return SendWr.send(wrId, source(from, wrId, length).sge());
    }

    private SendWr writeWithImmediate(int wrId, int length) {
      GuardedRegion target = target(to, wrId, length);
      receive(RecvWr.of(wrId));
      expectedSends.add(wrId + " RDMA_WRITE");
      expectedReceives.add(
          String.format("%d RECV_RDMA_WITH_IMM %d imm 0x%08x", wrId, length, wrId));
      return SendWr.rdmaWriteWithImm(
          wrId, target.addr(), target.rkey(), wrId, source(from, wrId, length).sge());
    }

    private SendWr write(int wrId, int length) {
      GuardedRegion target = target(to, wrId, length);
      expectedSends.add(wrId + " RDMA_WRITE");
      return SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), source(from, wrId, length).sge());
    }

    private SendWr read(int wrId, int length) {
      GuardedRegion source = source(to, wrId, length);
      expectedSends.add(wrId + " RDMA_READ " + length);
      return SendWr.rdmaRead(wrId, source.addr(), source.rkey(), target(from, wrId, length).sge());
    }

    /** Most receives are posted in time. */
    private void receive(RecvWr receive) {
      lateReceives.add(receive);
      if (random.nextInt(4) > 0) {
        postLateReceives();
      }
    }

    void postLateReceives() {
      to.qp().postRecv(lateReceives);
      lateReceives.clear();
    }

    void assertEverythingOnce() {
      assertThat(from.sends()).isEqualTo(expectedSends);
      assertThat(to.receives()).isEqualTo(expectedReceives);
      for (Check check : checks) {
        check.target.assertHolds(Bytes.pattern(check.length, check.seed));
      }
    }
  }
}
