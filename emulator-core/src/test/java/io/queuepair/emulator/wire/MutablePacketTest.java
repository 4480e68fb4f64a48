// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutablePacketTest {
  private static final int PKEY = 0x8001;

  private final MutablePacket slot = new MutablePacket();

  @ParameterizedTest
  @EnumSource
  void becomesAnyOtherPacket(Opcode opcode) {
    Packet packet = new RandomPackets(opcode.code()).next(TestRoutes.IPV6, opcode);

    assertThat(slot.copyFrom(packet)).isEqualTo(packet);
    assertThat(Encoded.of(slot, 0).hex()).isEqualTo(Encoded.of(packet, 0).hex());
  }

  @ParameterizedTest
  @EnumSource
  void isFilledInStepByStep(Opcode opcode) {
    Packet packet = new RandomPackets(opcode.code()).next(TestRoutes.IPV4, opcode);
    Bth bth = packet.bth().withFecn(false).withBecn(false);

    slot.reset(TestRoutes.IPV4, opcode, bth.pkey(), bth.destQpn(), bth.psn())
        .solicited(bth.solicited())
        .migrated(bth.migrated())
        .ackRequest(bth.ackRequest())
        .setPayload(packet.payload());
    packet.extensions().forEach(slot::add);

    assertThat(slot).isEqualTo(packet.with(bth));
  }

  @Test
  void keepsNothingOfThePacketBefore() {
    Bth bth = new Bth(Opcode.RC_SEND_ONLY, true, true, 1, true, true, 0x12, true, 1);
    slot.copyFrom(
        new Packet(TestRoutes.IPV6, bth, List.of(), Payload.of(new byte[8]), "of before"));

    slot.reset(TestRoutes.IPV4, Opcode.RC_RDMA_WRITE_MIDDLE, PKEY, 0x11, 7);

    Bth plain = Bth.of(Opcode.RC_RDMA_WRITE_MIDDLE, 0x11, 7).withPkey(PKEY);
    assertThat(slot).isEqualTo(new Packet(TestRoutes.IPV4, plain, List.of(), Payload.EMPTY));
    assertThat(slot.note()).isNull();
  }

  @Test
  void refusesAnExtensionThatTheOpcodeDoesNotHave() {
    slot.reset(TestRoutes.IPV4, Opcode.RC_SEND_ONLY, PKEY, 0x11, 7);

    assertThatThrownBy(() -> slot.add(Aeth.ack(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("RC_SEND_ONLY has no AETH");
  }

  @Test
  void leavesACopyAlone() {
    Packet packet = new RandomPackets(1).next(TestRoutes.IPV4, Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM);
    Packet copy = slot.copyFrom(packet).copy();

    slot.reset(TestRoutes.IPV6, Opcode.RC_ATOMIC_ACKNOWLEDGE, PKEY, 0x11, 7)
        .add(Aeth.ack(1))
        .add(new AtomicAckEth(-1));

    assertThat(copy).isEqualTo(packet);
  }
}
