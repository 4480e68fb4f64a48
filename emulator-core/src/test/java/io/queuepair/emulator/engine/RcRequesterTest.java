// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which packets leave for which sends. */
final class RcRequesterTest {
  private final EngineFixture us = EngineFixture.ready();
  private final byte[] content = TestPayloads.pattern(4 * MTU, 1);
  private final RegisteredMemory region = us.register(content);

  private byte[] part(int from, int length) {
    return TestPayloads.slice(content, from, length);
  }

  @Test
  void cutsALongSendByPathMtu() {
    us.post(
        SendWr.send(1),
        SendWr.send(2, sge(region, 0, MTU)),
        SendWr.send(3, sge(region, 0, 2 * MTU + 5)));

    assertThat(us.transmit())
        .containsExactly(
            us.own().sendOnly(OWN_PSN, new byte[0]),
            us.own().sendOnly(OWN_PSN + 1, part(0, MTU)),
            us.own().of(Opcode.RC_SEND_FIRST, OWN_PSN + 2, part(0, MTU)),
            us.own().of(Opcode.RC_SEND_MIDDLE, OWN_PSN + 3, part(MTU, MTU)),
            us.own().of(Opcode.RC_SEND_LAST, OWN_PSN + 4, part(2 * MTU, 5)));
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
  void putsImmediateAndSolicitedIntoTheLastPacket() {
    us.post(
        SendWr.sendWithImm(1, 7, sge(region, 0, MTU + 1)),
        SendWr.rdmaWriteWithImm(2, REMOTE, RKEY, 7, sge(region, 0, MTU + 1))
            .withFlags(SendFlag.SOLICITED),
        SendWr.rdmaWriteWithImm(3, REMOTE, RKEY, 7, sge(region, 0, 1)),
        SendWr.send(4, sge(region, 0, MTU + 1)).withFlags(SendFlag.SOLICITED));
    List<Packet> sent = us.transmit();

    assertThat(EngineFixture.brief(sent))
        .containsExactly(
            "SEND_FIRST 100",
            "SEND_LAST_WITH_IMM 101",
            "RDMA_WRITE_FIRST 102",
            "RDMA_WRITE_LAST_WITH_IMM 103",
            "RDMA_WRITE_ONLY_WITH_IMM 104",
            "SEND_FIRST 105",
            "SEND_LAST 106");
    assertThat(sent)
        .extracting(packet -> packet.bth().solicited())
        .containsExactly(false, false, false, true, false, false, true);
  }

  @Test
  void wrapsAroundAfterTheLargestPsn() {
    EngineFixture late = EngineFixture.ready(attr -> attr.sqPsn(0xff_fffe));

    assertThat(late.run("send 1 517; read 2 257; send 3"))
        .isEqualTo(
            "SEND_FIRST 16777214 256; SEND_MIDDLE 16777215 256; SEND_LAST 0 5; "
                + "READ_REQUEST 1 @0+257; SEND_ONLY 3");
  }

  @Test
  void neverKeepsMoreReadsOutstandingThanAllowed() {
    assertThat(us.run("read 1 8; read 2 8; read 3 8; send 4"))
        .isEqualTo("READ_REQUEST 100 @0+8; READ_REQUEST 101 @0+8");

    assertThat(us.run("READ_RESPONSE_ONLY 100 8"))
        .isEqualTo("READ_REQUEST 102 @0+8; SEND_ONLY 103");
  }

  @Test
  void holdsAFencedSendBackUntilAllReadsAreAnswered() {
    assertThat(us.run("send 1; fenced 2; read 3 8; send 4; fenced 5; send 6"))
        .isEqualTo("SEND_ONLY 100; SEND_ONLY 101; READ_REQUEST 102 @0+8; SEND_ONLY 103");

    assertThat(us.run("READ_RESPONSE_ONLY 102 8")).isEqualTo("SEND_ONLY 104; SEND_ONLY 105");
  }

  /** The bit is set by every packet that would be one more without it than the window says. */
  @Test
  void asksForAcknowledgementOftenEnoughToGoOn() {
    int every = SendWindowConfig.softRoce().acks().everyPackets();
    us.post(SendWr.send(1, sge(us.register(new byte[1000 * MTU]))));

    List<Packet> sent = us.transmit();

    assertThat(sent).hasSizeBetween(1, 128);
    List<Integer> asking =
        IntStream.range(0, sent.size())
            .filter(i -> sent.get(i).bth().ackRequest())
            .boxed()
            .toList();
    assertThat(asking).hasSize(sent.size() / every).startsWith(every - 1, 2 * every - 1);
    assertThat(asking).allMatch(i -> (i + 1) % every == 0);
  }

  private enum Unreadable {
    KEY,
    DOMAIN,
    RANGE
  }

  @ParameterizedTest
  @EnumSource
  void sendsNothingOfASendWhoseMemoryItMayNotRead(Unreadable why) {
    Sge sge =
        switch (why) {
          case KEY -> new Sge(region.addr(), 8, region.key() ^ 1);
          case DOMAIN -> sge(us.registerInOtherDomain(new byte[8]));
          case RANGE -> sge(region, 4 * MTU - 4, 5);
        };
    us.post(SendWr.send(1), SendWr.rdmaWrite(2, REMOTE, RKEY, sge).withFlags(), SendWr.send(3));

    assertThat(us.transmit()).hasSize(1);
    assertThat(us.sends()).as("older sends complete first").isEmpty();
    us.receive(us.peer().ack(OWN_PSN, 1));
    assertThat(us.sends()).containsExactly("1 SEND 0", "2 LOC_PROT_ERR", "3 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void gathersInlineDataAtPostTime() {
    us.post(SendWr.send(1, sge(region, 0, 8)).withFlags(SendFlag.INLINE));
    region.bytes().put(0, new byte[8]);

    assertThat(us.transmit()).containsExactly(us.own().sendOnly(OWN_PSN, part(0, 8)));
  }

  /**
   * Acknowledgements of what is not outstanding, in the explanation of a send without an answer.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          send 1; ACK 95; ACK 95 | 100 | 2 acknowledgements came, for PSN 95
          # As a peer answers duplicates while the rest of the first message is missing.
          send 1; ACK 99; ACK 99 | 100 | 2 acknowledgements came, for PSN 99, the one before the \
          first: nothing was acknowledged yet.
          # Forgotten with the next answer; nothing was outstanding when it came.
          send 1; ACK 95; ACK 100; send 2 | 101 | Nothing came back from queue pair 119 of \
          10.0.0.2; own GID index 0.
          send 1; ACK 100; ACK 100; send 2 | 101 | Nothing came back from queue pair 119 of \
          10.0.0.2; own GID index 0.
          """)
  void staleAcknowledgementsAreNamed(String script, int psn, String cause) {
    EngineFixture impatient = EngineFixture.ready(attr -> attr.retryCnt(1));
    impatient.run(script);
    if (psn != OWN_PSN) {
      assertThat(impatient.sends()).containsExactly("1 SEND 0");
    }

    impatient.run("timeout 2");

    assertThat(impatient.explanation())
        .startsWith(
            "no answer to PSN "
                + psn
                + " within the ACK timeout (TIMEOUT 14), also after 1 retry (RETRY_CNT). "
                + cause);
  }
}
