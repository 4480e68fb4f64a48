// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which packets leave for which sends. */
final class RcRequesterTest {
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;

  private final EngineFixture us = EngineFixture.ready();
  private final byte[] content = TestPayloads.pattern(4 * MTU, 1);
  private final RegisteredMemory region = us.register(content);

  private byte[] part(int from, int length) {
    return TestPayloads.slice(content, from, length);
  }

  @Test
  void sendsAnEmptyMessageAsOnePacket() {
    us.post(SendWr.send(1));

    assertThat(us.transmit()).containsExactly(us.own().sendOnly(OWN_PSN, new byte[0]));
  }

  @Test
  void sendsAFullPacketAsOnly() {
    us.post(SendWr.send(1, sge(region, 0, MTU)));

    assertThat(us.transmit()).containsExactly(us.own().sendOnly(OWN_PSN, part(0, MTU)));
  }

  @Test
  void cutsALongSendByPathMtu() {
    us.post(SendWr.send(1, sge(region, 0, 2 * MTU + 5)));

    assertThat(us.transmit())
        .containsExactly(
            us.own().of(Opcode.RC_SEND_FIRST, OWN_PSN, part(0, MTU)),
            us.own().of(Opcode.RC_SEND_MIDDLE, OWN_PSN + 1, part(MTU, MTU)),
            us.own().of(Opcode.RC_SEND_LAST, OWN_PSN + 2, part(2 * MTU, 5)));
  }

  @Test
  void announcesTheWholeLengthInTheFirstPacketOfAWrite() {
    us.post(SendWr.rdmaWrite(1, REMOTE, RKEY, sge(region, 0, 2 * MTU + 5)));

    Reth reth = new Reth(REMOTE, RKEY, 2 * MTU + 5);
    assertThat(us.transmit())
        .containsExactly(
            us.own().of(Opcode.RC_RDMA_WRITE_FIRST, OWN_PSN, part(0, MTU), reth),
            us.own().of(Opcode.RC_RDMA_WRITE_MIDDLE, OWN_PSN + 1, part(MTU, MTU)),
            us.own().of(Opcode.RC_RDMA_WRITE_LAST, OWN_PSN + 2, part(2 * MTU, 5)));
  }

  @Test
  void putsImmediateIntoTheLastPacket() {
    us.post(
        SendWr.sendWithImm(1, 7, sge(region, 0, MTU + 1)),
        SendWr.rdmaWriteWithImm(2, REMOTE, RKEY, 7, sge(region, 0, MTU + 1)),
        SendWr.rdmaWriteWithImm(3, REMOTE, RKEY, 7, sge(region, 0, 1)));

    assertThat(brief(us.transmit()))
        .containsExactly(
            "SEND_FIRST 100",
            "SEND_LAST_WITH_IMM 101",
            "RDMA_WRITE_FIRST 102",
            "RDMA_WRITE_LAST_WITH_IMM 103",
            "RDMA_WRITE_ONLY_WITH_IMM 104");
  }

  @Test
  void asksForAReadWithOnePacketAndKeepsThePsnsOfItsAnswer() {
    us.post(
        SendWr.rdmaRead(1, REMOTE, RKEY, sge(region, 0, 2 * MTU + 5)),
        SendWr.send(2, sge(region, 0, 4)));

    assertThat(us.transmit())
        .containsExactly(
            us.own().readRequest(OWN_PSN, new Reth(REMOTE, RKEY, 2 * MTU + 5)),
            us.own().sendOnly(OWN_PSN + 3, part(0, 4)));
  }

  @Test
  void wrapsAroundAfterTheLargestPsn() {
    EngineFixture late = EngineFixture.ready(attr -> attr.sqPsn(0xff_fffe));
    RegisteredMemory source = late.register(content);
    late.post(
        SendWr.send(1, sge(source, 0, 2 * MTU + 5)),
        SendWr.rdmaRead(2, REMOTE, RKEY, sge(source, 0, MTU + 1)),
        SendWr.send(3));

    assertThat(brief(late.transmit()))
        .containsExactly(
            "SEND_FIRST 16777214",
            "SEND_MIDDLE 16777215",
            "SEND_LAST 0",
            "RDMA_READ_REQUEST 1",
            "SEND_ONLY 3");
  }

  @Test
  void solicitsInTheLastPacketOfASend() {
    us.post(SendWr.send(1, sge(region, 0, MTU + 1)).withFlags(SendFlag.SOLICITED));

    assertThat(us.transmit())
        .extracting(packet -> packet.bth().solicited())
        .containsExactly(false, true);
  }

  @Test
  void solicitsInTheLastPacketOfAWriteWithImmediate() {
    us.post(
        SendWr.rdmaWriteWithImm(1, REMOTE, RKEY, 7, sge(region, 0, MTU + 1))
            .withFlags(SendFlag.SOLICITED));

    assertThat(us.transmit())
        .extracting(packet -> packet.bth().solicited())
        .containsExactly(false, true);
  }

  @Test
  void neverKeepsMoreReadsOutstandingThanAllowed() {
    us.post(
        SendWr.rdmaRead(1, REMOTE, RKEY, sge(region, 0, 8)),
        SendWr.rdmaRead(2, REMOTE, RKEY, sge(region, 8, 8)),
        SendWr.rdmaRead(3, REMOTE, RKEY, sge(region, 16, 8)),
        SendWr.send(4));

    assertThat(brief(us.transmit()))
        .containsExactly("RDMA_READ_REQUEST 100", "RDMA_READ_REQUEST 101");
  }

  @Test
  void goesOnWhenAReadIsAnswered() {
    neverKeepsMoreReadsOutstandingThanAllowed();

    List<Packet> sent =
        us.receive(
            us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN, 1, new byte[8]));

    assertThat(brief(sent)).containsExactly("RDMA_READ_REQUEST 102", "SEND_ONLY 103");
  }

  @Test
  void holdsAFencedSendBackUntilAllReadsAreAnswered() {
    us.post(
        SendWr.rdmaRead(1, REMOTE, RKEY, sge(region, 0, 8)),
        SendWr.send(2),
        SendWr.send(3).withFlags(SendFlag.FENCE),
        SendWr.send(4));

    assertThat(brief(us.transmit())).containsExactly("RDMA_READ_REQUEST 100", "SEND_ONLY 101");
    List<Packet> sent =
        us.receive(
            us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN, 1, new byte[8]));
    assertThat(brief(sent)).containsExactly("SEND_ONLY 102", "SEND_ONLY 103");
  }

  @Test
  void fencesAgainstReadsOnly() {
    us.post(SendWr.send(1), SendWr.send(2).withFlags(SendFlag.FENCE));

    assertThat(brief(us.transmit())).containsExactly("SEND_ONLY 100", "SEND_ONLY 101");
  }

  @Test
  void asksForAcknowledgementOftenEnoughToGoOn() {
    RegisteredMemory large = us.register(new byte[1000 * MTU]);
    us.post(SendWr.send(1, sge(large)));

    List<Packet> sent = us.transmit();

    assertThat(sent).hasSizeLessThanOrEqualTo(128);
    assertThat(sent).anyMatch(packet -> packet.bth().ackRequest());
  }

  /** The bit is set by every packet that would be one more without it than the window says. */
  @Test
  void asksForAcknowledgementWithEachPacketThatIsDue() {
    int every = SendWindowConfig.softRoce().ackRequestEveryPackets();
    RegisteredMemory large = us.register(new byte[1000 * MTU]);
    us.post(SendWr.send(1, sge(large)));

    List<Packet> sent = us.transmit();

    List<Integer> asking =
        IntStream.range(0, sent.size())
            .filter(i -> sent.get(i).bth().ackRequest())
            .boxed()
            .toList();
    assertThat(asking).hasSize(sent.size() / every).startsWith(every - 1, 2 * every - 1);
    assertThat(asking).allMatch(i -> (i + 1) % every == 0);
  }

  @Test
  void sendsNothingOfASendWhoseMemoryItMayNotRead() {
    Sge badKey = new Sge(region.addr(), 8, region.key() ^ 1);
    us.post(SendWr.send(1, badKey), SendWr.send(2));

    assertThat(us.transmit()).isEmpty();
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesToSendFromAnotherDomain() {
    us.post(SendWr.rdmaWrite(1, REMOTE, RKEY, sge(us.registerInOtherDomain(new byte[8]))));

    assertThat(us.transmit()).isEmpty();
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void refusesToSendFromBeyondARegion() {
    us.post(SendWr.send(1, sge(region, 4 * MTU - 4, 5)));

    assertThat(us.transmit()).isEmpty();
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void completesOlderSendsBeforeALocalError() {
    Sge badKey = new Sge(region.addr(), 8, region.key() ^ 1);
    us.post(SendWr.send(1), SendWr.send(2, badKey), SendWr.send(3));
    us.transmit();

    List<String> beforeTheAck = us.sends();
    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(beforeTheAck).isEmpty();
    assertThat(us.sends()).containsExactly("1 SEND 0", "2 LOC_PROT_ERR", "3 WR_FLUSH_ERR");
  }

  @Test
  void reportsALocalErrorOfAnUnsignaledSend() {
    Sge badKey = new Sge(region.addr(), 8, region.key() ^ 1);
    us.post(SendWr.send(1, badKey).withFlags());

    us.transmit();

    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void gathersInlineDataAtPostTime() {
    us.post(SendWr.send(1, sge(region, 0, 8)).withFlags(SendFlag.INLINE));
    region.bytes().put(0, new byte[8]);

    assertThat(us.transmit()).containsExactly(us.own().sendOnly(OWN_PSN, part(0, 8)));
  }
}
