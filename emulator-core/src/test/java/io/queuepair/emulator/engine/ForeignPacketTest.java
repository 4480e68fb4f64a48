// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets that do not come from the peer of a connection, or not to the address it is connected by:
 * they are dropped and counted, whatever they say (InfiniBand Network Architecture, "Packet Header
 * Validation").
 */
final class ForeignPacketTest {
  private static final byte[] NOTHING = new byte[0];

  private static void assertDropped(EngineFixture us, Packet forged) {
    assertThat(us.receive(forged)).isEmpty();

    assertThat(us.sends()).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.events()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isOne();
    assertThat(contentOf(us.region())).containsOnly(0);
  }

  /** An ACK, an RNR NAK, a NAK of a gap and one of an access. */
  @ParameterizedTest
  @ValueSource(ints = {0x1f, 0x20, 0x60, 0x62})
  void nobodyElseAcknowledges(int syndrome) {
    EngineFixture us = EngineFixture.ready();
    us.run("send 1");

    assertDropped(us, us.stranger().acknowledge(OWN_PSN, syndrome, 1));

    us.run("ACK 100");
    assertThat(us.sends()).containsExactly("1 SEND 0");
    EngineFixture xrc = EngineFixture.ready(QpType.XRC_SEND);
    assertDropped(
        xrc, xrc.stranger().of(Opcode.XRC_ACKNOWLEDGE, OWN_PSN, NOTHING, new Aeth(syndrome, 1)));
  }

  @Test
  void nobodyElseAnswersAReadOrAnAtomic() {
    EngineFixture reader = EngineFixture.ready();
    reader.run("read 1 8");
    byte[] forged = {6, 6, 6, 6, 6, 6, 6, 6};
    assertDropped(
        reader,
        reader.stranger().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN, 1, forged));

    EngineFixture adder = EngineFixture.ready();
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(0, 0x1234);
    adder.post(SendWr.fetchAndAdd(1, target, 1, sge(adder.region(), 0, 8)));
    adder.transmit();
    Opcode answer = Opcode.RC_ATOMIC_ACKNOWLEDGE;
    assertDropped(
        adder,
        adder.stranger().of(answer, OWN_PSN, NOTHING, Aeth.ack(1), new AtomicAckEth(0x6666)));
  }

  @Test
  void nobodyElseSendsToUcOrToAnXrcTarget() {
    EngineFixture uc = EngineFixture.ready(QpType.UC);
    uc.run("recv 1");
    assertDropped(uc, uc.stranger().of(Opcode.UC_SEND_ONLY, PEER_PSN, new byte[4]));

    EngineFixture xrc = EngineFixture.ready(QpType.XRC_RECV);
    assertDropped(
        xrc, xrc.stranger().of(Opcode.XRC_SEND_ONLY, PEER_PSN, new byte[4], new XrcEth(1)));
  }

  @Test
  void whatThePeerSendsToAnotherAddressOfTheDeviceIsNotForTheConnection() {
    EngineFixture us = EngineFixture.ready();
    us.run("send 1; recv 2");

    assertThat(
            us.receive(
                us.peerToAnotherAddress().sendOnly(PEER_PSN, new byte[4]),
                us.peerToAnotherAddress().ack(OWN_PSN, 1)))
        .isEmpty();

    assertThat(us.sends()).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isEqualTo(2);
  }
}
