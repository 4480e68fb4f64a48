// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What acknowledgements and NAKs do to the sends they speak of. */
final class CompleterTest {
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;
  private static final Opcode ONLY = Opcode.RC_RDMA_READ_RESPONSE_ONLY;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory region = us.register(TestPayloads.pattern(4 * MTU, 1));

  private void transmit(SendWr... requests) {
    us.post(requests);
    us.transmit();
  }

  private SendWr read(int wrId, int length) {
    return SendWr.rdmaRead(wrId, REMOTE, RKEY, sge(region, 0, length));
  }

  @Test
  void completesNothingBeforeTheAcknowledgement() {
    transmit(SendWr.send(1));

    assertThat(us.sends()).isEmpty();
  }

  @Test
  void completesEverythingUpToTheAcknowledgedPsn() {
    transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3), SendWr.send(4));

    us.receive(us.peer().ack(OWN_PSN + 2, 3));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 SEND 0", "3 SEND 0");
  }

  @Test
  void completesAMessageWithItsLastPacketOnly() {
    transmit(SendWr.send(1, sge(region, 0, 2 * MTU + 1)));

    us.receive(us.peer().ack(OWN_PSN + 1, 0));
    assertThat(us.sends()).isEmpty();
    us.receive(us.peer().ack(OWN_PSN + 2, 1));

    assertThat(us.sends()).containsExactly("1 SEND " + (2 * MTU + 1));
  }

  @Test
  void completesWithoutAWordIfUnsignaled() {
    transmit(SendWr.send(1).withFlags(), SendWr.send(2));

    us.receive(us.peer().ack(OWN_PSN + 1, 2));

    assertThat(us.sends()).containsExactly("2 SEND 0");
  }

  @Test
  void takesAReadAnswerAsAcknowledgementOfWhatWasSentBefore() {
    transmit(SendWr.send(1), SendWr.rdmaWrite(2, REMOTE, RKEY, sge(region, 0, 8)), read(3, 8));

    us.receive(us.peer().readResponse(ONLY, OWN_PSN + 2, 3, new byte[8]));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 RDMA_WRITE 8", "3 RDMA_READ 8");
  }

  @Test
  void acknowledgesAcrossThePsnWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));
    late.post(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    late.transmit();

    late.receive(late.peer().ack(1, 3));

    assertThat(late.sends()).containsExactly("1 SEND 0", "2 SEND 0", "3 SEND 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {OWN_PSN + 1, OWN_PSN + 50, OWN_PSN + 0x7f_ffff, OWN_PSN - 1})
  void ignoresAnAcknowledgementOfWhatIsNotInFlight(int psn) {
    transmit(SendWr.send(1));

    us.receive(us.peer().ack(psn, 1));

    assertThat(us.sends()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.drops(DropReason.STALE_RESPONSE)).isOne();
  }

  @Test
  void ignoresASecondAcknowledgement() {
    transmit(SendWr.send(1), SendWr.send(2));

    us.receive(us.peer().ack(OWN_PSN, 1), us.peer().ack(OWN_PSN, 1));

    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x60, 0x61, 0x62, 0x63, 0x20})
  void ignoresANakOfWhatWasNeverSent(int syndrome) {
    transmit(SendWr.send(1));

    us.receive(us.peer().acknowledge(OWN_PSN + 1, syndrome, 0));

    assertThat(us.sends()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x5f, 0x80, 0xff})
  void ignoresReservedSyndromes(int syndrome) {
    transmit(SendWr.send(1));

    us.receive(us.peer().acknowledge(OWN_PSN, syndrome, 0));

    assertThat(us.sends()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x05, 0x1e, 0x1f})
  void takesAnyCreditCodeAsAcknowledgement(int syndrome) {
    transmit(SendWr.send(1));

    us.receive(us.peer().acknowledge(OWN_PSN, syndrome, 1));

    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @ParameterizedTest
  @CsvSource({
    "0x61, REM_INV_REQ_ERR",
    "0x62, REM_ACCESS_ERR",
    "0x63, REM_OP_ERR",
    "0x65, REM_OP_ERR",
    "0x7f, REM_OP_ERR",
  })
  void failsWithTheStatusOfTheNak(String syndrome, String status) {
    transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));

    us.receive(us.peer().acknowledge(OWN_PSN + 1, Integer.decode(syndrome), 1));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 " + status, "3 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void reportsAFailedSendThatIsNotSignaled() {
    transmit(SendWr.send(1).withFlags(), SendWr.send(2).withFlags());

    us.receive(us.peer().acknowledge(OWN_PSN, 0x62, 0));

    assertThat(us.sends()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  void failsALongMessageAtAnyOfItsPackets() {
    transmit(SendWr.send(1, sge(region, 0, 3 * MTU)));

    us.receive(us.peer().acknowledge(OWN_PSN + 1, 0x61, 0));

    assertThat(us.sends()).containsExactly("1 REM_INV_REQ_ERR");
  }

  @Test
  void failsAReadWithTheStatusOfTheNak() {
    transmit(read(1, 8));

    us.receive(us.peer().acknowledge(OWN_PSN, 0x62, 0));

    assertThat(us.sends()).containsExactly("1 REM_ACCESS_ERR");
  }

  @Test
  void failsAReadWhoseAnswerBreaksOffInTheMiddle() {
    transmit(read(1, 2 * MTU));

    us.receive(
        us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OWN_PSN, 1, new byte[MTU]),
        us.peer().acknowledge(OWN_PSN + 1, 0x62, 1));

    assertThat(us.sends()).containsExactly("1 REM_ACCESS_ERR");
  }

  @Test
  void flushesReceivesWhenASendFails() {
    us.postReceive(8, sge(region));
    us.postReceive(9, sge(region));
    transmit(SendWr.send(1));

    us.receive(us.peer().acknowledge(OWN_PSN, 0x61, 0));

    assertThat(us.receives()).containsExactly("8 WR_FLUSH_ERR", "9 WR_FLUSH_ERR");
  }

  @Test
  void placesReadDataInOrder() {
    RegisteredMemory target = us.register(new byte[4 * MTU]);
    byte[] data = TestPayloads.pattern(2 * MTU + 3, 5);
    transmit(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 16, data.length)));

    us.receive(
        us.peer()
            .readResponse(
                Opcode.RC_RDMA_READ_RESPONSE_FIRST, OWN_PSN, 1, TestPayloads.slice(data, 0, MTU)),
        us.peer()
            .readResponse(
                Opcode.RC_RDMA_READ_RESPONSE_MIDDLE,
                OWN_PSN + 1,
                1,
                TestPayloads.slice(data, MTU, MTU)),
        us.peer()
            .readResponse(
                Opcode.RC_RDMA_READ_RESPONSE_LAST,
                OWN_PSN + 2,
                1,
                TestPayloads.slice(data, 2 * MTU, 3)));

    assertThat(us.sends()).containsExactly("1 RDMA_READ " + data.length);
    assertThat(contentOf(target))
        .isEqualTo(TestPayloads.join(new byte[16], data, new byte[4 * MTU - 16 - data.length]));
  }

  @Test
  void failsAReadIntoMemoryWithoutLocalWrite() {
    RegisteredMemory readOnly = us.register(new byte[8], EnumSet.of(AccessFlag.REMOTE_READ));
    transmit(SendWr.rdmaRead(1, REMOTE, RKEY, sge(readOnly)), SendWr.send(2));

    us.receive(us.peer().readResponse(ONLY, OWN_PSN, 1, TestPayloads.fill(8, 7)));

    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(contentOf(readOnly)).containsOnly(0);
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void noticesABadKeyOfAReadOnlyWhenTheAnswerComes() {
    transmit(SendWr.rdmaRead(1, REMOTE, RKEY, new Sge(region.addr(), 8, region.key() ^ 1)));

    assertThat(us.sends()).isEmpty();
    us.receive(us.peer().readResponse(ONLY, OWN_PSN, 1, new byte[8]));

    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void completesAnEmptyRead() {
    transmit(SendWr.rdmaRead(1, REMOTE, RKEY));

    us.receive(us.peer().readResponse(ONLY, OWN_PSN, 1, new byte[0]));

    assertThat(us.sends()).containsExactly("1 RDMA_READ 0");
  }
}
