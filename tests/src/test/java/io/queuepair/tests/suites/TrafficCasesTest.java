// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.suites.OperationStream.StreamKind;
import io.queuepair.tests.suites.OperationStream.StreamOperation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many operations on one or many connections, all data compared. The suites repeat some of them a
 * million times, on up to a thousand connections; here they are repeated until every ring has gone
 * round.
 */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class TrafficCasesTest {
  private static final int[] SIZES = {32, 256, 2048, 16_384};
  private static final int LARGEST = 16_384;

  @Parameter private LinkForm form;

  private void run(SuiteTraffic.TrafficShape shape, StreamKind kind, int operations) {
    run(shape, i -> new StreamOperation(kind, shape.slotBytes()), operations);
  }

  private void run(
      SuiteTraffic.TrafficShape shape, IntFunction<StreamOperation> kinds, int operations) {
    try (SuiteHost host = new SuiteHost(form.fabric(), shape.regionBytes());
        SuiteTraffic traffic = new SuiteTraffic(host, shape, kinds)) {
      traffic.run(operations);
    }
  }

  static Stream<Arguments> constantOperations() {
    List<Arguments> rows = new ArrayList<>();
    for (int qps : new int[] {1, 20}) {
      for (int size : SIZES) {
        for (StreamKind kind : List.of(StreamKind.READ, StreamKind.WRITE, StreamKind.SEND)) {
          rows.add(Arguments.of(kind, size, qps));
        }
      }
      rows.add(Arguments.of(StreamKind.FETCH_ADD, 8, qps));
      rows.add(Arguments.of(StreamKind.SWAP, 8, qps));
    }
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource("constantOperations")
  @Tag("GUT-basic_rc_test-ConstantOpTest.Basic")
  void operationsOfOneKindAndSize(StreamKind kind, int size, int qps) {
    int window = qps == 1 ? 32 : 4;

    run(new SuiteTraffic.TrafficShape(qps, window, size), kind, qps == 1 ? 100 : 10);
  }

  private static StreamOperation random(Random random, boolean atomics) {
    StreamKind kind = StreamKind.values()[random.nextInt(atomics ? StreamKind.values().length : 3)];
    return switch (kind) {
      case SEND, READ, WRITE -> new StreamOperation(kind, SIZES[random.nextInt(SIZES.length)]);
      case FETCH_ADD, SWAP, NO_SWAP -> new StreamOperation(kind, 8);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, true",
    "1, 32, true",
    "1, 1, false",
    "1, 32, false",
    "20, 1, true",
    "20, 32, false"
  })
  @Tag("GUT-basic_rc_test-MixedOpsTest.Basic")
  void operationsOfAllKindsAndSizes(int qps, int window, boolean atomics) {
    Random random = new Random(qps + window);
    SuiteTraffic.TrafficShape shape = new SuiteTraffic.TrafficShape(qps, window, LARGEST);

    run(shape, i -> random(random, atomics), 100);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.Write")
  void tenWritesOnEachOfFive() {
    run(new SuiteTraffic.TrafficShape(5, 10, 32), StreamKind.WRITE, 10);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.Read")
  void tenReadsOnEachOfFive() {
    run(new SuiteTraffic.TrafficShape(5, 10, 32), StreamKind.READ, 10);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.RcSend")
  void elevenSendsOnEachOfFive() {
    run(new SuiteTraffic.TrafficShape(5, 11, 32), StreamKind.SEND, 11);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.FetchAdd")
  void tenAdditionsOnEachOfFive() {
    run(new SuiteTraffic.TrafficShape(5, 10, 8), StreamKind.FETCH_ADD, 10);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.CompareSwap")
  void tenSwapsOnEachOfFiveAndTenOfAnotherValue() {
    SuiteTraffic.TrafficShape shape = new SuiteTraffic.TrafficShape(5, 10, 8);
    run(shape, i -> new StreamOperation(i < 10 ? StreamKind.SWAP : StreamKind.NO_SWAP, 8), 20);
  }

  @Test
  @Tag("GUT-simple_rdma_test-SimpleRdmaTest.MixedOpType")
  void aHundredOfFiveKindsOnEachOfTen() {
    SuiteTraffic.TrafficShape shape = new SuiteTraffic.TrafficShape(10, 16, 32);
    StreamKind[] kinds = {
      StreamKind.WRITE, StreamKind.READ, StreamKind.SEND, StreamKind.FETCH_ADD, StreamKind.SWAP
    };
    run(shape, i -> new StreamOperation(kinds[i % kinds.length], size(i)), 100);
  }

  /** Of the five kinds, the last two are atomics. */
  private static int size(int i) {
    return i % 5 < 3 ? 32 : 8;
  }

  @ParameterizedTest
  @EnumSource(StreamKind.class)
  @Tag("GUT-rdma_stability_test-RdmaStabilityTest.StabilityDurationTest")
  void aLongRunRaisesNoEvent(StreamKind kind) {
    run(new SuiteTraffic.TrafficShape(10, 10, 8), kind, 100);
  }

  @ParameterizedTest
  @EnumSource(StreamKind.class)
  @Tag("GUT-rdma_stability_test-RdmaStabilityTest.StabilityResourceTest")
  void connectionsComeAndGo(StreamKind kind) {
    try (SuiteHost host = new SuiteHost(form.fabric())) {
      for (int round = 0; round < 10; round++) {
        try (SuiteTraffic traffic =
            new SuiteTraffic(
                host,
                new SuiteTraffic.TrafficShape(10, 10, 8),
                i -> new StreamOperation(kind, 8))) {
          traffic.run(20);
        }
      }
    }
  }

  @Test
  @Tag("GUT-stress_test-StressTest.Write32B100Qp100kOps")
  void manyWritesOnAHundredConnections() {
    run(new SuiteTraffic.TrafficShape(100, 32, 32), StreamKind.WRITE, 200);
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.SendManyWithOneOutstanding")
  void manySendsOneAfterTheOther() {
    for (int round = 0; round < 2; round++) {
      run(new SuiteTraffic.TrafficShape(1, 1, 64), StreamKind.SEND, 500);
    }
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.FullSubmissionQueue")
  void aSendQueueNeverOverflowsWhileHalfOfItIsFree() {
    try (ConnectedPair bed =
        new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), ConnectedPair.PAGE)) {
      int half = bed.a().qp().query().cap().maxSendWr() / 2;
      List<SendWr> chain = IntStream.range(0, half).mapToObj(bed::read).toList();
      List<String> expected =
          IntStream.range(0, half).mapToObj(i -> i + " RDMA_READ 4096").toList();
      bed.a().qp().postSend(chain);
      for (int batch = 1; batch < 20; batch++) {
        bed.a().qp().postSend(chain);
        List<String> done = new ArrayList<>();
        while (done.size() < half) {
          done.add(Outcomes.of(bed.pair().await(bed.a().sendCq())));
        }
        assertThat(done).isEqualTo(expected);
      }
      bed.expect(expected, List.of());
    }
  }

  private static Set<AccessFlag> rights(boolean isPaged, AccessFlag... rights) {
    Set<AccessFlag> all = EnumSet.noneOf(AccessFlag.class);
    all.addAll(Set.of(rights));
    if (isPaged) {
      all.add(AccessFlag.ON_DEMAND);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "SEND, false",
    "READ, false",
    "WRITE, false",
    "SEND, true",
    "READ, true",
    "WRITE, true"
  })
  @Tag("IVT-odp-t4_6M")
  void sixMebibytesInSmallPackets(StreamKind kind, boolean isPaged) {
    int part = 384 * 1024;
    try (ConnectedPair bed =
        new ConnectedPair(
            ConnectedPair.reliable(Pair.on(form)).mtu(Mtu.MTU_512).connect(), ConnectedPair.PAGE)) {
      MemoryRegion source =
          kind == StreamKind.READ
              ? ConnectedPair.filled(
                  bed.b(), 16 * part, rights(isPaged, AccessFlag.REMOTE_READ), 'c')
              : ConnectedPair.filled(bed.a(), 16 * part, rights(isPaged), 'c');
      MemoryRegion target =
          kind == StreamKind.READ
              ? bed.a().register(16 * part, rights(isPaged, AccessFlag.LOCAL_WRITE))
              : bed.b()
                  .register(
                      16 * part, rights(isPaged, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
      List<String> sends = new ArrayList<>();
      List<String> receives = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Sge from = source.sge(i * part, part);
        Sge to = target.sge(i * part, part);
        switch (kind) {
          case SEND -> {
            bed.receive(i, to);
            bed.post(SendWr.send(i, from));
            receives.add(i + " RECV " + part);
            sends.add(i + " SEND");
          }
          case READ -> {
            bed.post(SendWr.rdmaRead(i, from.addr(), source.rkey(), to));
            sends.add(i + " RDMA_READ " + part);
          }
          case WRITE, FETCH_ADD, SWAP, NO_SWAP -> {
            bed.post(SendWr.rdmaWrite(i, to.addr(), target.rkey(), from));
            sends.add(i + " RDMA_WRITE");
          }
        }
      }

      bed.expect(sends, receives);
      ConnectedPair.assertFullOf(target, 'c');
    }
  }
}
