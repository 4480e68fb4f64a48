// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.conformance.FaultyFabric.FabricDatagram;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams that are lost, doubled or late: everything still happens once and in order. */
final class LossTest {
  private static final int LENGTH = 2000;

  /** Loses or doubles the number-th datagram, counted from 0, and no other. */
  private static FaultyFabric once(int number, DatagramFate fate) {
    int[] count = new int[1];
    return new FaultyFabric(datagram -> count[0]++ == number ? fate : DatagramFate.PASS);
  }

  private static FaultyFabric losing(Predicate<FabricDatagram> isLost) {
    return new FaultyFabric(
        datagram -> isLost.test(datagram) ? DatagramFate.DROP : DatagramFate.PASS);
  }

  private static Pair pair(FaultyFabric fabric) {
    return Pair.on(fabric).mtu(Mtu.MTU_256).connect();
  }

  /** A send, a write, a read and a send, each of eight packets; then everything is compared. */
  private static void assertExactlyOnce(Pair pair) {
    byte[] message = Bytes.pattern(LENGTH, 1);
    MemoryRegion local = pair.a().register(LENGTH);
    Bytes.into(local, 0, message);
    GuardedRegion received = GuardedRegion.in(pair.b(), LENGTH);
    GuardedRegion written = GuardedRegion.in(pair.b(), LENGTH);
    GuardedRegion readBack = GuardedRegion.in(pair.a(), LENGTH);
    pair.b().qp().postRecv(List.of(RecvWr.of(11, received.sge()), RecvWr.of(12)));

    pair.send(
        SendWr.send(1, local.sge()),
        SendWr.rdmaWrite(2, written.addr(), written.rkey(), local.sge()),
        SendWr.rdmaRead(3, written.addr(), written.rkey(), readBack.sge()),
        SendWr.send(4));

    assertThat(pair.a().sends())
        .containsExactly("1 SEND", "2 RDMA_WRITE", "3 RDMA_READ " + LENGTH, "4 SEND");
    assertThat(pair.b().receives()).containsExactly("11 RECV " + LENGTH, "12 RECV 0");
    received.assertHolds(message);
    written.assertHolds(message);
    readBack.assertHolds(message);
    assertThat(pair.a().state()).isEqualTo(QpState.RTS);
    assertThat(pair.b().state()).isEqualTo(QpState.RTS);
  }

  static Stream<Arguments> fates() {
    return Stream.of(DatagramFate.DROP, DatagramFate.TWICE, DatagramFate.LATE)
        .flatMap(fate -> IntStream.range(0, 32).mapToObj(number -> arguments(fate, number)));
  }

  @ParameterizedTest
  @MethodSource("fates")
  void anyDatagramMayBeLostOrComeTwiceOrLate(DatagramFate fate, int number) {
    try (Pair pair = pair(once(number, fate))) {
      assertExactlyOnce(pair);
    }
  }

  @Test
  void aLostNakIsMadeUpForByTheTimeout() {
    int[] lost = new int[2];
    FaultyFabric fabric =
        losing(datagram -> datagram.sender() == 1 ? lost[0]++ == 0 : lost[1]++ == 0);
    try (Pair pair = pair(fabric)) {
      pair.b().qp().postRecv(List.of(RecvWr.of(11), RecvWr.of(12)));

      pair.send(SendWr.send(1), SendWr.send(2));

      assertThat(pair.a().sends()).containsExactly("1 SEND", "2 SEND");
      assertThat(pair.b().receives()).containsExactly("11 RECV 0", "12 RECV 0");
    }
  }
}
