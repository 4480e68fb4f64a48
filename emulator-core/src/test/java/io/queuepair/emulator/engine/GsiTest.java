// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queue pair 1 of a device, packet by packet (InfiniBand Architecture volume 1, 13.5.2). */
class GsiTest {
  /** As in every message of {@code cm_rping.pcapng}. */
  private static final int UDP_SOURCE_PORT_OF_LINUX = 55410;

  private static final int OTHER_CLASS = 0x30;
  private static final Payload MAD = Payload.of(CmMessage.of(CmKind.RTU, 1, 2).toBytes());

  private final Gsi gsi = new Gsi(2, new TwoHosts());
  private final Engine engine = EngineFixture.engine(gsi);
  private final List<String> taken = new ArrayList<>();
  private Route in;

  /** The own address is 10.0.0.1, that of every peer 10.0.0.2. */
  private static final class TwoHosts implements Gsi.MadRoutes {
    @Override
    public Route routeTo(AhAttr address) {
      return address.grh().sgidIndex() == 0
          ? route("10.0.0.1", "10.0.0.2", address.grh().hopLimit())
          : null;
    }

    @Override
    public AhAttr answerTo(Route route, int portNum) {
      return AhAttr.to(Gid.of(route.source())).fromPort(portNum);
    }
  }

  private static Route route(String source, String destination, int hopLimit) {
    try {
      return new Route(
          InetAddress.getByName(source),
          InetAddress.getByName(destination),
          Gsi.UDP_SOURCE_PORT,
          0,
          hopLimit,
          0);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  @BeforeEach
  void register() {
    in = route("10.0.0.2", "10.0.0.1", 64);
    assertThat(gsi.register(1, 7, this::take)).isTrue();
  }

  private DropReason take(AhAttr from, int sourceQpn, Payload mad, long nowNanos) {
    taken.add(from.grh().dgid() + " port " + from.portNum() + " qp " + sourceQpn);
    return null;
  }

  private Packet packet(int pkey, int qkey, Payload mad) {
    Bth bth = Bth.of(Opcode.UD_SEND_ONLY, 1, 77).withPkey(pkey);
    return new Packet(in, bth, List.of(new Deth(qkey, 1)), mad);
  }

  private Packet good() {
    return packet(0xffff, 0x80010000, MAD);
  }

  private void assertDropped(Packet packet, int portNum, DropReason reason) {
    assertThat(engine.dispatch(packet, portNum, 0)).isEqualTo(reason);

    assertThat(taken).isEmpty();
    assertThat(engine.drops().of(reason)).isOne();
    assertThat(engine.statistics().drops(portNum, reason)).isOne();
  }

  @Test
  void sendsWhatLinuxSends() {
    assertThat(Gsi.UDP_SOURCE_PORT).isEqualTo(UDP_SOURCE_PORT_OF_LINUX);
    for (int psn = 0; psn < 3; psn++) {
      assertThat(gsi.send(AhAttr.to(Gid.of(in.source())), MAD)).isTrue();

      assertThat(engine.hasToSend()).isTrue();
      Packet sent = (Packet) engine.pollTransmit(0);
      assertThat(sent)
          .isEqualTo(
              new Packet(
                  route("10.0.0.1", "10.0.0.2", 64),
                  Bth.of(Opcode.UD_SEND_ONLY, 1, psn).withAckRequest(true),
                  List.of(new Deth(0x80010000, 1)),
                  MAD));
    }
    assertThat(engine.hasToSend()).isFalse();
    assertThat(engine.pollTransmit(0)).isNull();
  }

  @Test
  void eachPortCountsItsOwnPackets() {
    AhAttr peer = AhAttr.to(Gid.of(in.source()));
    gsi.send(peer, MAD);
    gsi.send(peer.fromPort(2), MAD);
    gsi.send(peer, MAD);

    assertThat(List.of(psnOfNext(), psnOfNext(), psnOfNext())).containsExactly(0, 0, 1);
  }

  private int psnOfNext() {
    return ((Packet) engine.pollTransmit(0)).psn();
  }

  @Test
  void doesNotSendFromAnAddressThatIsGone() {
    GlobalRoute gone = new GlobalRoute(Gid.of(in.source()), 0, 1, 64, 0);

    assertThat(gsi.send(new AhAttr(gone, 0, 1), MAD)).isFalse();
    assertThat(engine.hasToSend()).isFalse();
  }

  @Test
  void keepsSoManyThatWaitAndNoMore() {
    AhAttr peer = AhAttr.to(Gid.of(in.source()));
    for (int i = 0; i < Gsi.MAX_WAITING; i++) {
      assertThat(gsi.send(peer, MAD)).isTrue();
    }

    assertThat(gsi.send(peer, MAD)).isFalse();

    engine.pollTransmit(0);
    assertThat(gsi.send(peer, MAD)).isTrue();
  }

  @Test
  void givesADatagramToTheAgentOfItsClassAndPort() {
    assertThat(engine.dispatch(good(), 1, 0)).isNull();

    assertThat(taken).containsExactly(Gid.of(in.source()) + " port 1 qp 1");
    assertThat(gsi.carried()).isOne();
  }

  @Test
  void aFullMemberTakesWhatALimitedOneSends() {
    assertThat(engine.dispatch(packet(0x7fff, 0x80010000, MAD), 1, 0)).isNull();
  }

  @Test
  void dropsADatagramThatIsNotForAnAgent() {
    Payload other = MAD.copy();
    other.buffer().put(1, (byte) OTHER_CLASS);

    assertDropped(packet(0xffff, 0x80010001, MAD), 1, DropReason.BAD_QKEY);
    assertDropped(packet(0x8001, 0x80010000, MAD), 1, DropReason.BAD_PKEY);
    assertDropped(packet(0xffff, 0x80010000, Payload.of(new byte[252])), 1, DropReason.MALFORMED);
    assertDropped(good(), 0, DropReason.NOT_OUR_ADDRESS);
    assertDropped(packet(0xffff, 0x80010000, other), 1, DropReason.NO_AGENT);
  }

  @Test
  void dropsADatagramWithImmediate() {
    Bth bth = Bth.of(Opcode.UD_SEND_ONLY_WITH_IMM, 1, 77);
    List<ExtensionHeader> headers = List.of(new Deth(0x80010000, 1), new ImmDt(1));

    assertDropped(new Packet(in, bth, headers, MAD), 1, DropReason.WRONG_SERVICE);
  }

  @Test
  void dropsAPacketOfAConnection() {
    Packet send = new Packet(in, Bth.of(Opcode.RC_SEND_ONLY, 1, 0), List.of(), MAD);

    assertDropped(send, 1, DropReason.WRONG_SERVICE);
  }

  @Test
  void anAgentOfOnePortTakesNothingOfTheOther() {
    assertDropped(good(), 2, DropReason.NO_AGENT);
  }

  @Test
  void aClassHasOneAgentAtATime() {
    assertThat(gsi.register(1, 7, this::take)).isFalse();
    assertThat(gsi.register(2, 7, this::take)).isTrue();

    gsi.deregister(1, 7);

    assertDropped(good(), 1, DropReason.NO_AGENT);
    assertThat(gsi.register(1, 7, this::take)).isTrue();
  }

  @Test
  void countsWhatAnAgentDoesNotTake() {
    gsi.deregister(1, 7);
    gsi.register(1, 7, (from, sourceQpn, mad, nowNanos) -> DropReason.NO_RECEIVE);

    assertDropped(good(), 1, DropReason.NO_RECEIVE);
    assertThat(gsi.carried()).isZero();
  }
}
