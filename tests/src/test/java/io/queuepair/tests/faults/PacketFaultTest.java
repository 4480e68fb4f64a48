// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a plan does to packets, seen by the application and in the ladder. */
final class PacketFaultTest {
  private final List<String> ladder = new ArrayList<>();

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
}
