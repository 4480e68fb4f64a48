// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets that do not come from the peer of a connection, or not to the address it is connected by:
 * they are dropped and counted, whatever they say (InfiniBand Network Architecture, "Packet Header
 * Validation").
 */
final class ForeignPacketTest {
  private static final int ACK = 0x1f;
  private static final int RNR_NAK = 0x20;
  private static final int SEQUENCE_NAK = 0x60;
  private static final int ACCESS_NAK = 0x62;

  private static void assertDropped(EngineFixture us, Packet forged) {
    assertThat(us.receive(forged)).isEmpty();

    assertThat(us.sends()).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.events()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {ACK, RNR_NAK, SEQUENCE_NAK, ACCESS_NAK})
  void nobodyElseAcknowledges(int syndrome) {
    EngineFixture us = EngineFixture.ready();
    us.post(SendWr.send(1));
    us.transmit();

    assertDropped(us, us.stranger().acknowledge(OWN_PSN, syndrome, 1));

    us.receive(us.peer().ack(OWN_PSN, 1));
    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void nobodyElseAnswersARead() {
    EngineFixture us = EngineFixture.ready();
    RegisteredMemory target = us.register(new byte[8]);
    us.post(SendWr.rdmaRead(1, 0, 0x1234, sge(target)));
    us.transmit();
    byte[] forged = {6, 6, 6, 6, 6, 6, 6, 6};

    assertDropped(
        us, us.stranger().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN, 1, forged));

    assertThat(contentOf(target)).containsOnly(0);
  }

  @Test
  void nobodyElseAnswersAnAtomic() {
    EngineFixture us = EngineFixture.ready();
    RegisteredMemory target = us.register(new byte[8]);
    us.post(SendWr.fetchAndAdd(1, new SendWr.RemoteTarget(0, 0x1234), 1, sge(target)));
    us.transmit();

    assertDropped(
        us,
        us.stranger()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN,
                new byte[0],
                new Aeth(ACK, 1),
                new AtomicAckEth(0x6666)));

    assertThat(contentOf(target)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {ACK, ACCESS_NAK})
  void nobodyElseAcknowledgesToAnXrcInitiator(int syndrome) {
    EngineFixture us = EngineFixture.ready(QpType.XRC_SEND);

    assertDropped(
        us, us.stranger().of(Opcode.XRC_ACKNOWLEDGE, OWN_PSN, new byte[0], new Aeth(syndrome, 1)));
  }

  @Test
  void nobodyElseSendsToUc() {
    EngineFixture us = EngineFixture.ready(QpType.UC);
    us.postReceive(1, sge(us.register(new byte[8])));

    assertDropped(us, us.stranger().of(Opcode.UC_SEND_ONLY, PEER_PSN, new byte[4]));
  }

  @Test
  void nobodyElseSendsToAnXrcTarget() {
    EngineFixture us = EngineFixture.ready(QpType.XRC_RECV);

    assertDropped(us, us.stranger().of(Opcode.XRC_SEND_ONLY, PEER_PSN, new byte[4], new XrcEth(1)));
  }

  @Test
  void whatThePeerSendsToAnotherAddressOfTheDeviceIsNotForTheConnection() {
    EngineFixture us = EngineFixture.ready();
    us.post(SendWr.send(1));
    us.transmit();
    us.postReceive(2, sge(us.register(new byte[8])));

    for (Packet packet :
        List.of(
            us.peerToAnotherAddress().sendOnly(PEER_PSN, new byte[4]),
            us.peerToAnotherAddress().ack(OWN_PSN, 1))) {
      assertThat(us.receive(packet)).isEmpty();
    }

    assertThat(us.sends()).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isEqualTo(2);
  }

  @Test
  void theNumberOfADestroyedQueuePairRests() {
    EngineFixture us = EngineFixture.ready();
    int destroyed = us.peer().destQpn();

    us.destroy();
    us.createAnother();

    assertThat(us.peer().destQpn()).isNotEqualTo(destroyed);
  }
}
