// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters of a port, with the meanings of rdma_rxe. */
final class HwCounterTest {
  private static final String NAMES =
      "sent_pkts rcvd_pkts duplicate_request out_of_seq_request rcvd_rnr_err send_rnr_err"
          + " rcvd_seq_err ack_deferred retry_exceeded_err retry_rnr_exceeded_err"
          + " completer_retry_err send_err link_downed rdma_sends rdma_recvs";

  /** Counters that are not 0. */
  private static Map<HwCounter, Long> counted(TestEndpoint side) {
    Map<HwCounter, Long> counted = new EnumMap<>(side.context().hwCounters(1));
    counted.values().removeIf(value -> value == 0);
    return counted;
  }

  @Test
  void theNamesAreThoseOfTheFiles() {
    assertThat(HwCounter.values())
        .extracting(HwCounter::fileName)
        .containsExactly(NAMES.split(" "));
  }

  @Test
  void aMessageIsPacketsAnAcknowledgementASendAndAReceive() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).mtu(Mtu.MTU_1024).connect()) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      pair.send(SendWr.send(2, pair.a().region().sge(0, 3000)));

      assertThat(counted(pair.a()))
          .isEqualTo(
              Map.of(HwCounter.SENT_PKTS, 3L, HwCounter.RCVD_PKTS, 1L, HwCounter.RDMA_SENDS, 1L));
      assertThat(counted(pair.b()))
          .isEqualTo(
              Map.of(HwCounter.SENT_PKTS, 1L, HwCounter.RCVD_PKTS, 3L, HwCounter.RDMA_RECVS, 1L));
      assertThat(pair.a().context().hwCounters(2).values()).containsOnly(0L);
    }
  }

  /**
   * Frames of Ethernet (14), IPv4 (20), UDP (8), BTH (12) and ICRC (4) around 3,000 octets, or an
   * AETH (4) instead, in units of 4 octets.
   */
  @Test
  void dataIsWhatFramesHaveWithoutTheirChecksum() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).mtu(Mtu.MTU_1024).connect()) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      pair.send(SendWr.send(2, pair.a().region().sge(0, 3000)));

      assertThat(EmulatedDevice.of(pair.a().context().device()).trafficCounters(1))
          .containsEntry("port_xmit_data", (3 * 58 + 3000) / 4L)
          .containsEntry("port_rcv_data", (58 + 4) / 4L)
          .containsEntry("port_xmit_packets", 3L)
          .containsEntry("unicast_xmit_packets", 3L)
          .containsEntry("unicast_rcv_packets", 1L)
          .containsEntry("multicast_xmit_packets", 0L);
    }
  }

  @Test
  void aWriteIsNoSend() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      MemoryRegion remote = pair.b().region();
      pair.send(SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), pair.a().region().sge(0, 8)));

      assertThat(counted(pair.a()))
          .isEqualTo(Map.of(HwCounter.SENT_PKTS, 1L, HwCounter.RCVD_PKTS, 1L));
    }
  }

  /** With no retries as Linux Soft-RoCE counted in the recorded scenario rc_rnr_retry_0. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aReceiverThatIsNotReadyIsCountedOnBothSides(int retries) {
    long naks = retries + 1L;
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.rnrRetry(retries)).connect()) {
      pair.send(SendWr.send(1), SendWr.send(2));

      assertThat(pair.a().sends()).containsExactly("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
      assertThat(counted(pair.a()))
          .containsEntry(HwCounter.RDMA_SENDS, 2L)
          .containsEntry(HwCounter.RCVD_RNR_ERR, naks)
          .containsEntry(HwCounter.RETRY_RNR_EXCEEDED_ERR, 1L)
          .doesNotContainKey(HwCounter.COMPLETER_RETRY_ERR);
      assertThat(counted(pair.b()))
          .containsEntry(HwCounter.SEND_RNR_ERR, naks)
          .doesNotContainKey(HwCounter.RDMA_RECVS);
    }
  }

  @Test
  void retriesAreCountedAndTheirEnd() {
    FaultyFabric nothingArrives = new FaultyFabric(datagram -> DatagramFate.DROP);
    try (Pair pair = Pair.on(nothingArrives).rts(attr -> attr.retryCnt(3)).connect()) {
      pair.send(SendWr.send(1));

      assertThat(counted(pair.a()))
          .containsEntry(HwCounter.COMPLETER_RETRY_ERR, 3L)
          .containsEntry(HwCounter.RETRY_EXCEEDED_ERR, 1L)
          .containsEntry(HwCounter.SENT_PKTS, 4L);
      assertThat(counted(pair.b())).isEmpty();
    }
  }

  @Test
  void aPacketThatComesTwiceIsADuplicate() {
    try (Pair pair = Pair.on(new FaultyFabric(datagram -> DatagramFate.TWICE)).connect()) {
      pair.b().qp().postRecv(RecvWr.of(1));
      pair.send(SendWr.send(2));

      assertThat(counted(pair.b()))
          .containsEntry(HwCounter.DUPLICATE_REQUEST, 1L)
          .containsEntry(HwCounter.RDMA_RECVS, 1L);
    }
  }

  @Test
  void aPortThatIsDownCountsWhatItCannotSend() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.retryCnt(1)).connect()) {
      EmulatedDevice.of(pair.a().context().device()).setPortUp(1, false);
      EmulatedDevice.of(pair.a().context().device()).setPortUp(1, false);
      pair.send(SendWr.send(1));

      assertThat(counted(pair.a()))
          .containsEntry(HwCounter.LINK_DOWNED, 1L)
          .containsEntry(HwCounter.SEND_ERR, 2L)
          .doesNotContainKey(HwCounter.SENT_PKTS);
    }
  }

  @Test
  void thereIsNoPortBehindTheLast() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      assertThat(Errnos.of(() -> pair.a().context().hwCounters(3))).isEqualTo(Errno.EINVAL);
    }
  }
}
