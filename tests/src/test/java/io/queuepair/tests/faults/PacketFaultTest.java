// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of a plan on packets, when they arrive and how, in the ladder and for programs. */
final class PacketFaultTest {
  private final List<String> ladder = new ArrayList<>();
  private Map<String, Long> drops;

  private Pair pair(LinkForm form, String plan) {
    Fabric faulty = new FaultFabric(form.fabric(), FaultPlan.parse(plan));
    return Pair.on(LadderTrace.on(faulty, ladder::add)).connect();
  }

  /** Lines of the ladder without time and hosts. */
  private List<String> packets() {
    return ladder.stream().map(line -> line.replaceFirst(".*10\\.0\\.0\\.[12]  ", "")).toList();
  }

  private static void sendOne(Pair pair) {
    pair.b().qp().postRecv(List.of(RecvWr.of(11, pair.b().region().sge())));
    pair.a().qp().postSend(List.of(SendWr.send(1, pair.a().region().sge(0, 64))));
    pair.drain();
  }

  @ParameterizedTest
  @CsvSource({
    "invalid_request, REM_INV_REQ_ERR",
    "remote_access_error, REM_ACCESS_ERR",
    "remote_operational_error, REM_OP_ERR",
    "invalid_rd_request, REM_INV_RD_REQ_ERR"
  })
  void aForgedNakFailsTheRequestWithItsStatus(String nak, WcStatus status) {
    try (Pair pair = pair(LinkForm.WIRE_EXACT, "forge nak " + nak + " 1st SEND")) {
      sendOne(pair);

      assertThat(pair.a().sendCompletions())
          .extracting(WorkCompletion::status)
          .containsExactly(status);
      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
      assertThat(pair.b().receives()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theLadderShowsWhatWasForgedAndWhy(LinkForm form) {
    try (Pair pair = pair(form, "forge nak remote_access_error 1st SEND to 10.0.0.2")) {
      sendOne(pair);

      assertThat(packets())
          .containsExactly(
              "RC_SEND_ONLY qp=0x000011 psn=100 migrated ackreq 64 bytes, answered: forge nak"
                  + " remote_access_error",
              "RC_ACKNOWLEDGE qp=0x000011 psn=100 migrated NAK remote access error msn=0, forged:"
                  + " forge nak remote_access_error 1st SEND to 10.0.0.2");
    }
  }

  @Test
  void theCompletionNamesTheStatementThatForged() {
    try (Pair pair = pair(LinkForm.OBJECTS, "forge nak invalid_request 1st SEND")) {
      sendOne(pair);

      assertThat(pair.a().sendCompletions().get(0).explain())
          .contains("forged: forge nak invalid_request 1st SEND");
    }
  }

  @Test
  void aForgedRnrNakOnlyDelaysTheRequest() {
    // Code 14 is 1.28 ms (InfiniBand Architecture, table of RNR NAK timers).
    try (Pair pair = pair(LinkForm.OBJECTS, "forge rnr_nak 14 1st SEND")) {
      sendOne(pair);

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).hasSize(1);
      assertThat(ladder.get(2)).startsWith("   1281.000 us");
    }
  }

  @Test
  void aForgedAckMakesALostRequestLookDone() {
    try (Pair pair = pair(LinkForm.OBJECTS, "forge ack 1st SEND")) {
      sendOne(pair);

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).isEmpty();
    }
  }

  @Test
  void anAckCanBeTurnedIntoANak() {
    try (Pair pair = pair(LinkForm.WIRE_EXACT, "forge nak remote_operational_error 1st ACK")) {
      sendOne(pair);

      assertThat(pair.a().sendCompletions().get(0).status()).isEqualTo(WcStatus.REM_OP_ERR);
      assertThat(pair.b().receives()).hasSize(1);
    }
  }

  /** A forged answer is shorter than the packet that it replaces, and lacks some fields. */
  @ParameterizedTest
  @ValueSource(strings = {"corrupt byte 22", "corrupt original", "set original 5"})
  void whatIsForgedIsSparedWhatItHasNotGot(String other) {
    String plan = "forge nak remote_access_error 1st ATOMIC_ACKNOWLEDGE; " + other;
    FaultPlan both = FaultPlan.parse(plan + " 1st ATOMIC_ACKNOWLEDGE");
    Fabric faulty = new FaultFabric(LinkForm.OBJECTS.fabric(), both);
    try (Pair pair = Pair.on(faulty).access(Attributes.DATA_RIGHTS).connect()) {
      MemoryRegion to = pair.b().register(8, Attributes.DATA_RIGHTS);
      SendWr.RemoteTarget target = new SendWr.RemoteTarget(to.addr(), to.rkey());
      Sge old = pair.a().region().sge(0, 8);
      pair.a().qp().postSend(List.of(SendWr.fetchAndAdd(1, target, 1, old)));
      pair.drain();

      assertThat(pair.a().sendCompletions().get(0).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aWrongPsnIsTakenForGenuine(LinkForm form) {
    // One ahead of what is expected: the responder asks for what it believes is missing.
    try (Pair pair = pair(form, "set psn +1 1st SEND")) {
      sendOne(pair);

      assertThat(packets().get(0)).contains("psn=101").endsWith(", rewritten: set psn +1 1st SEND");
      assertThat(packets().get(1)).contains("psn=100 migrated NAK PSN sequence error");
      assertThat(pair.a().sends()).containsExactly("1 SEND");
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aCorruptedFieldIsFoundByTheIcrc(LinkForm form) {
    try (Pair pair = pair(form, "corrupt qpn 1st SEND; corrupt byte 20 2nd SEND")) {
      sendOne(pair);

      assertThat(packets().get(0)).contains("invalid: The invariant CRC does not match");
      assertThat(packets().get(1)).contains("invalid: The invariant CRC does not match");
      assertThat(pair.a().sends()).containsExactly("1 SEND");
    }
  }

  /** With this seed the highest bit of the opcode changes: that is an undefined opcode. */
  @Test
  void anOpcodeOfNobodyIsDroppedBeforeAnythingElse() {
    try (Pair pair = pair(LinkForm.WIRE_EXACT, "seed 11; corrupt byte 0 1st SEND")) {
      sendOne(pair);

      assertThat(packets().get(0)).contains("invalid: " + DropReason.UNKNOWN_OPCODE.text());
      assertThat(pair.a().sends()).containsExactly("1 SEND");
    }
  }

  /** Sends two messages of 64 bytes at once, from 10.0.0.1 to 10.0.0.2, with PSNs 100 and 101. */
  private void send(LinkForm form, String plan) {
    try (Pair pair = pair(form, plan)) {
      pair.b().qp().postRecv(List.of(RecvWr.of(1, pair.b().region().sge(0, 64))));
      pair.b().qp().postRecv(List.of(RecvWr.of(2, pair.b().region().sge(64, 64))));
      pair.a()
          .qp()
          .postSend(
              List.of(
                  SendWr.send(1, pair.a().region().sge(0, 64)),
                  SendWr.send(2, pair.a().region().sge(64, 64))));
      pair.drain();
      assertThat(pair.a().sends()).containsExactly("1 SEND", "2 SEND");
      drops = EmulatedDevice.of(pair.b().context().device()).dropCounts();
    }
  }

  /** Time and PSN of every SEND, in the order of the ladder. */
  private List<String> sends() {
    return ladder.stream()
        .filter(line -> line.contains("RC_SEND_ONLY"))
        .map(line -> line.replaceFirst("^ *([0-9.]+ us).* (psn=\\d+) .*", "$1 $2"))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aDoubledPacketIsSentTwice(LinkForm form) {
    send(form, "duplicate 1st SEND");

    assertThat(sends()).containsExactly("0.000 us psn=100", "0.000 us psn=100", "0.000 us psn=101");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aPacketIsOvertakenByTheNextOne(LinkForm form) {
    send(form, "reorder 1st SEND");

    assertThat(sends()).startsWith("0.000 us psn=101", "0.000 us psn=100");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void whatNothingOvertakesWaitsTenMicroseconds(LinkForm form) {
    send(form, "reorder 2nd SEND");

    assertThat(sends()).containsExactly("0.000 us psn=100", "10.000 us psn=101");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aDelayedPacketIsExactlySoLate(LinkForm form) {
    send(form, "delay 7us 2nd SEND");

    assertThat(sends()).containsExactly("0.000 us psn=100", "7.000 us psn=101");
  }

  @Test
  void aLimitOfADelayIsALimit() {
    send(LinkForm.OBJECTS, "delay up to 7us 2nd SEND");

    assertThat(sends()).hasSize(2);
    String late = sends().get(1);
    assertThat(late).endsWith(" psn=101");
    assertThat(Double.parseDouble(late.substring(0, late.indexOf(' ')))).isBetween(0.001, 6.999);
  }

  @Test
  void aConditionLooksAtFieldsOfHeaders() {
    try (Pair pair =
        pair(LinkForm.OBJECTS, "drop SEND where psn = 100 and ackreq = 1 at 0s for 1ms")) {
      sendOne(pair);

      assertThat(packets().get(0)).contains(", dropped: ");
      assertThat(packets().get(1)).doesNotContain("dropped");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"corrupt 1st", "corrupt icrc 1st", "corrupt byte 40 1st", "corrupt psn 1st"})
  void whatIsCorruptedIsDroppedForItsIcrc(String corruption) {
    send(LinkForm.WIRE_EXACT, corruption + " SEND");

    assertThat(drops).containsEntry("BAD_ICRC", 1L);
  }

  @ParameterizedTest
  @CsvSource({"set psn 7, 7", "set psn +1, 101", "set psn -1, 99"})
  void aFieldIsReplacedOrChanged(String change, int psn) {
    send(LinkForm.WIRE_EXACT, change + " 1st SEND");

    assertThat(sends().get(0)).isEqualTo("0.000 us psn=" + psn);
    assertThat(drops).doesNotContainKey("BAD_ICRC");
  }

  @ParameterizedTest
  @CsvSource({
    "partition 10.0.0.1 for 1us, true",
    "partition 10.0.0.2 for 1us, true",
    "partition 10.0.0.1 from 10.0.0.2 for 1us, true",
    "partition 10.0.0.2 from 10.0.0.1 for 1us, true",
    "'partition 10.0.0.1, 10.0.0.2 for 1us', false",
    "partition 10.0.0.1 from 10.0.0.3 for 1us, false",
    "partition 10.0.0.1 at 1s, false"
  })
  void aPartitionCutsBothWaysAndOnlyWhomItNames(String partition, boolean isCut) {
    send(LinkForm.OBJECTS, partition);

    assertThat(ladder.get(0).contains("dropped: ")).isEqualTo(isCut);
    assertThat(ladder).filteredOn(line -> line.contains("dropped: ")).hasSize(isCut ? 2 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "10.0.0.2"})
  void aPauseHoldsWhatAHostSendsAndWhatIsSentToIt(String host) {
    send(LinkForm.OBJECTS, "pause " + host + " for 5us");

    assertThat(sends()).containsExactly("5.000 us psn=100", "5.000 us psn=101");
  }
}
