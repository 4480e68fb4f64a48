// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory of a network about packets that were not taken. */
final class LostPacketsTest {
  private static final InetAddress A = IpAddress.parse("10.0.0.1");
  private static final InetAddress B = IpAddress.parse("10.0.0.2");
  private static final int QPN = 0x11;
  private static final LossReport.LossFlow FLOW = new LossReport.LossFlow(A, B, QPN, false);

  private final LostPackets lost = new LostPackets();

  private static PacketEnvelope send(Opcode opcode, int qpn, int psn) {
    return send(A, B, opcode, qpn, psn);
  }

  private static PacketEnvelope send(
      InetAddress from, InetAddress to, Opcode opcode, int qpn, int psn) {
    Route route = new Route(from, to, 0xc000, 0, 64, 0);
    Bth bth = new Bth(opcode, false, false, PartitionKey.DEFAULT, false, false, qpn, false, psn);
    return new PacketEnvelope(from, to, new Packet(route, bth, List.of(), Payload.EMPTY));
  }

  private void lose(int psn, String fate) {
    lost.add(send(Opcode.RC_SEND_ONLY, QPN, psn), 0, fate);
  }

  @Test
  void countsThePacketsOfEachFateInTheOrderOfTheFirst() {
    lose(7, "dropped");
    lose(8, "dropped");
    lose(7, "late");
    lose(9, "dropped");

    assertThat(lost.of(FLOW, 0, 7, 3)).containsExactly(entry("dropped", 3), entry("late", 1));
  }

  @Test
  void flowsThatTakeTurnsAreToldApart() {
    InetAddress c = IpAddress.parse("10.0.0.3");
    for (int psn = 7; psn < 9; psn++) {
      lose(psn, "request");
      lost.add(send(A, B, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, QPN, psn), 0, "response");
      lost.add(send(c, B, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, QPN, psn), 0, "from another");
      lost.add(send(c, A, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, QPN, psn), 0, "to another");
      lost.add(
          send(c, A, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, QPN + 1, psn),
          0,
          "to another queue pair");
    }

    assertThat(lost.of(FLOW, 0, 7, 2)).containsExactly(entry("request", 2));
    assertThat(responses(A, B, QPN)).containsExactly(entry("response", 2));
    assertThat(responses(c, B, QPN)).containsExactly(entry("from another", 2));
    assertThat(responses(c, A, QPN)).containsExactly(entry("to another", 2));
    assertThat(responses(c, A, QPN + 1)).containsExactly(entry("to another queue pair", 2));
  }

  private Map<String, Integer> responses(InetAddress from, InetAddress to, int qpn) {
    return lost.of(new LossReport.LossFlow(from, to, qpn, true), 0, 7, 2);
  }

  @Test
  void countsOnlyThePsnsThatAreAskedFor() {
    for (int psn = 10; psn < 20; psn++) {
      lose(psn, "dropped");
    }

    assertThat(lost.of(FLOW, 0, 12, 3)).containsExactly(entry("dropped", 3));
    assertThat(lost.of(FLOW, 0, 18, 100)).containsExactly(entry("dropped", 2));
    assertThat(lost.of(FLOW, 0, 20, 100)).isEmpty();
    assertThat(lost.of(FLOW, 0, 0, 10)).isEmpty();
  }

  @Test
  void psnsMayWrap() {
    lose(Psn.MASK, "dropped");
    lose(0, "dropped");

    assertThat(lost.of(FLOW, 0, Psn.MASK, 2)).containsExactly(entry("dropped", 2));
    assertThat(lost.of(FLOW, 0, 0, 5)).containsExactly(entry("dropped", 1));
  }

  @Test
  void whatWasKnownBeforeIsLeftOut() {
    lose(7, "dropped");
    long since = lost.known();
    lose(7, "late");

    assertThat(lost.of(FLOW, since, 7, 1)).containsExactly(entry("late", 1));
  }

  @Test
  void datagramsAreNotRecorded() {
    lost.add(send(Opcode.UC_SEND_ONLY, QPN, 7), 0, "dropped");

    assertThat(lost.known()).isZero();
    assertThat(lost.of(FLOW, 0, 7, 1)).isEmpty();
  }

  @Test
  void ofOneFlowTheLatestAreRemembered() {
    for (int psn = 0; psn < 10 * LostPackets.MAX_RUNS; psn += 2) {
      lose(psn, "dropped");
    }

    assertThat(lost.of(FLOW, 0, 0, 10 * LostPackets.MAX_RUNS))
        .containsExactly(entry("dropped", LostPackets.MAX_RUNS));
  }

  @Test
  void ofTheFlowsThoseThatLostPacketsLastAreRemembered() {
    lose(7, "dropped");
    for (int qpn = 0x100; qpn < 0x100 + LostPackets.MAX_FLOWS - 1; qpn++) {
      lost.add(send(Opcode.RC_SEND_ONLY, qpn, 7), 0, "dropped");
    }
    lose(8, "dropped");
    lost.add(send(Opcode.RC_SEND_ONLY, 0x99999, 7), 0, "dropped");

    assertThat(lost.of(FLOW, 0, 7, 2)).containsExactly(entry("dropped", 2));
    assertThat(lost.of(new LossReport.LossFlow(A, B, 0x100, false), 0, 7, 1)).isEmpty();
  }
}
