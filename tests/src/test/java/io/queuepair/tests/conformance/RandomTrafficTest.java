package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.Fate;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random messages over a network that loses, doubles and delays: each completes exactly once, in
 * order, with every byte right and no other byte touched. A failure names the seed.
 */
final class RandomTrafficTest {
  private static final int OPERATIONS = 40;
  private static final int FIRST_PSN = 0xff_ffe0;

  /** What is checked of one operation when everything is done. */
  private record Check(Guarded target, int length, int seed) {}

  /** One run, all of it decided by one seed. */
  private static final class Run {
    private final Random random;
    private final Pair pair;
    private final List<SendWr> requests = new ArrayList<>();
    private final List<String> expectedSends = new ArrayList<>();
    private final List<String> expectedReceives = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();

    Run(long seed, int percentFaults) {
      random = new Random(seed);
      Mtu mtu = Mtu.values()[random.nextInt(3)];
      FaultyFabric fabric = new FaultyFabric(datagram -> fate(percentFaults));
      pair =
          Pair.on(fabric)
              .mtu(mtu)
              .rtr(attr -> attr.rqPsn(FIRST_PSN))
              .rts(attr -> attr.sqPsn(FIRST_PSN).retryCnt(7).timeout(10))
              .connect();
    }

    private Fate fate(int percentFaults) {
      if (random.nextInt(100) >= percentFaults) {
        return Fate.PASS;
      }
      Fate[] faults = {Fate.DROP, Fate.TWICE, Fate.LATE};
      return faults[random.nextInt(faults.length)];
    }

    private int length() {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextInt(4);
        case 1 -> random.nextInt(300);
        case 2 -> 256 * random.nextInt(12);
        default -> random.nextInt(6000);
      };
    }

    /** Prepares one operation of a random kind. */
    void add(int wrId) {
      int length = length();
      byte[] message = Bytes.pattern(length, wrId);
      int kind = random.nextInt(4);
      Guarded source = Guarded.in(kind == 3 ? pair.b() : pair.a(), length);
      Guarded target = Guarded.in(kind == 3 ? pair.a() : pair.b(), length);
      source.fill(message);
      checks.add(new Check(target, length, wrId));
      switch (kind) {
        case 0 -> {
          pair.b().qp().postRecv(RecvWr.of(wrId, target.sge()));
          requests.add(SendWr.send(wrId, source.sge()));
          expectedSends.add(wrId + " SEND");
          expectedReceives.add(wrId + " RECV " + length);
        }
        case 1 -> {
          pair.b().qp().postRecv(RecvWr.of(wrId));
          requests.add(
              SendWr.rdmaWriteWithImm(wrId, target.addr(), target.rkey(), wrId, source.sge()));
          expectedSends.add(wrId + " RDMA_WRITE");
          expectedReceives.add(
              String.format("%d RECV_RDMA_WITH_IMM %d imm 0x%08x", wrId, length, wrId));
        }
        case 2 -> {
          requests.add(SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), source.sge()));
          expectedSends.add(wrId + " RDMA_WRITE");
        }
        default -> {
          requests.add(SendWr.rdmaRead(wrId, source.addr(), source.rkey(), target.sge()));
          expectedSends.add(wrId + " RDMA_READ " + length);
        }
      }
    }

    void assertEverythingOnce() {
      pair.a().qp().postSend(requests);
      pair.drain();
      assertThat(pair.a().sends()).isEqualTo(expectedSends);
      assertThat(pair.b().receives()).isEqualTo(expectedReceives);
      for (Check check : checks) {
        check.target.assertHolds(Bytes.pattern(check.length, check.seed));
      }
      assertThat(pair.a().state()).isEqualTo(QpState.RTS);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
    }
  }

  private static void run(long seed, int percentFaults) {
    Run run = new Run(seed, percentFaults);
    try (Pair pair = run.pair) {
      assertThat(pair).isNotNull();
      for (int wrId = 0; wrId < OPERATIONS; wrId++) {
        run.add(wrId);
      }
      run.assertEverythingOnce();
    }
  }

  @Property(tries = 60, seed = "1", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceOnAGoodNetwork(@ForAll long seed) {
    run(seed, 0);
  }

  @Property(tries = 120, seed = "2", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithAFewFaults(@ForAll long seed) {
    run(seed, 2);
  }

  @Property(tries = 120, seed = "3", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithManyFaults(@ForAll long seed) {
    run(seed, 10);
  }
}
