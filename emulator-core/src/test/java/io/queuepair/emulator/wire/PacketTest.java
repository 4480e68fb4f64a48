// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PacketTest {
  private static final Packet WRITE_FIRST =
      new Packet(
          TestRoutes.IPV4,
          Bth.of(Opcode.RC_RDMA_WRITE_FIRST, 0x11, 100).withAckRequest(true),
          List.of(new Reth(0x7f0000001000L, 0x1234, 5000)),
          Payload.of(new byte[1024]));

  @Test
  void isOneLineOfALadder() {
    assertThat(WRITE_FIRST)
        .hasToString(
            "RC_RDMA_WRITE_FIRST dqpn=0x000011 psn=100 ackreq"
                + " va=0x7f0000001000 rkey=0x00001234 len=5000 payload=1024");
    assertThat(acknowledge(Aeth.ack(1)))
        .hasToString("RC_ACKNOWLEDGE dqpn=0x000012 psn=7 ack msn=1");
    assertThat(acknowledge(Aeth.rnrNak(12, 1)))
        .hasToString("RC_ACKNOWLEDGE dqpn=0x000012 psn=7 rnr_nak timer=12 msn=1");
    assertThat(acknowledge(Aeth.nak(NakCode.REMOTE_ACCESS_ERROR, 1)))
        .hasToString("RC_ACKNOWLEDGE dqpn=0x000012 psn=7 nak=REMOTE_ACCESS_ERROR msn=1");
    assertThat(acknowledge(new Aeth(0x65, 1)))
        .hasToString("RC_ACKNOWLEDGE dqpn=0x000012 psn=7 reserved_syndrome=0x65 msn=1");
  }

  @Test
  @ResourceLock(Resources.LOCALE)
  void isTheSameLineInEveryLocale() {
    Locale before = Locale.getDefault();
    String line = WRITE_FIRST.toString();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(WRITE_FIRST).hasToString(line);
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasAnAccessorForEveryHeaderOfItsOpcode(Opcode opcode) {
    Packet packet = new RandomPackets(opcode.code()).next(TestRoutes.IPV4, opcode);

    assertThat(packet.extensions())
        .allSatisfy(header -> assertThat(accessed(packet, header.kind())).isEqualTo(header));
  }

  @Test
  void refusesToInventAHeader() {
    assertThatThrownBy(WRITE_FIRST::aeth)
        .isInstanceOf(AssertionError.class)
        .hasMessage("RC_RDMA_WRITE_FIRST has no AETH");
  }

  @Test
  void ownsItsPayloadWhenAsked() {
    ByteBuffer reused = Hex.buffer("01020304");
    Packet view =
        new Packet(
            TestRoutes.IPV4,
            Bth.of(Opcode.RC_SEND_ONLY, 0x11, 1),
            List.of(),
            new Payload(reused, 0, 4));
    Packet owned = view.copy();

    reused.putInt(0, 0);

    assertThat(owned.payload()).isEqualTo(Payload.of(Hex.bytes("01020304")));
    assertThat(owned.bth()).isEqualTo(view.bth());
  }

  private static Packet acknowledge(Aeth aeth) {
    return new Packet(
        TestRoutes.IPV4, Bth.of(Opcode.RC_ACKNOWLEDGE, 0x12, 7), List.of(aeth), Payload.EMPTY);
  }

  private static ExtensionHeader accessed(Packet packet, HeaderKind kind) {
    return switch (kind) {
      case RDETH -> packet.rdeth();
      case DETH -> packet.deth();
      case XRCETH -> packet.xrcEth();
      case FETH -> packet.feth();
      case RETH -> packet.reth();
      case ATOMIC_ETH -> packet.atomicEth();
      case AETH -> packet.aeth();
      case ATOMIC_ACK_ETH -> packet.atomicAckEth();
      case IMM_DT -> packet.immDt();
      case IETH -> packet.ieth();
      case CNP_RESERVED -> packet.header(HeaderKind.CNP_RESERVED);
    };
  }

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
