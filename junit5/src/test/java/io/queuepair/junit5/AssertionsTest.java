// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static io.queuepair.junit5.QueuepairAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;

/** Assertions about packets and completions, and what they say when they do not hold. */
@QueuepairTest
class AssertionsTest {
  @Test
  void packetsHaveTheNamesOfFaultPlans(QpPair pair) {
    assertThat(PairWork.write(pair, 10_000)).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE).hasWrId(1);

    assertThat(pair)
        .sent("WRITE_FIRST", "RDMA_WRITE_MIDDLE", "rc_rdma_write_last")
        .withoutRetransmission()
        .received("ACK");
    assertThat(pair.b()).sent("ACKNOWLEDGE");
  }

  @Test
  void showsTheFirstPacketThatIsNotAsExpected(QpPair pair) {
    PairWork.write(pair, 10_000);

    assertThatThrownBy(() -> assertThat(pair).sent("WRITE_FIRST", "WRITE_LAST"))
        .hasMessage(
            """
            expected QP 0x000011 of qp0 (RC, RTS) at 10.0.0.1 to have sent:
              WRITE_FIRST
              WRITE_LAST
            but it has sent:
              WRITE_FIRST psn=0
              WRITE_MIDDLE psn=1   <--- expected WRITE_LAST
              WRITE_LAST psn=2""");
  }

  @Test
  void showsWhatIsMissing(QpPair pair) {
    assertThatThrownBy(() -> assertThat(pair).sent("SEND_ONLY"))
        .hasMessage(
            """
            expected QP 0x000011 of qp0 (RC, RTS) at 10.0.0.1 to have sent:
              SEND_ONLY
            but it has sent:
              <--- expected SEND_ONLY""");
  }

  @Test
  @Faults("drop 1st WRITE_MIDDLE")
  void showsWhatWasSentAgain(QpPair pair) {
    PairWork.write(pair, 10_000);

    assertThat(pair).sent("WRITE_FIRST", "WRITE_MIDDLE", "WRITE_LAST").received("NAK", "ACK");
    assertThatThrownBy(() -> assertThat(pair).withoutRetransmission())
        .hasMessage(
            """
            expected QP 0x000011 of qp0 (RC, RTS) at 10.0.0.1 to have sent again:
              nothing
            but it has sent again:
              WRITE_MIDDLE psn=1   <--- not expected
              WRITE_LAST psn=2
            (and 3 other packets, which do not count here)""");
    assertThatThrownBy(() -> assertThat(pair).received("ACK", "ACK"))
        .hasMessageContaining("NAK psn=1 (NAK PSN sequence error)   <--- expected ACK");
  }

  @Test
  @Faults("duplicate 1st WRITE_FIRST; drop 1st RDMA_READ_RESPONSE_LAST")
  void copiesAndAnswersThatAreGivenAgainCountOnce(QpPair pair) {
    PairWork.write(pair, 10_000);
    long from = pair.b().memory().addr();
    int rkey = pair.b().memory().rkey();
    pair.a().qp().postSend(SendWr.rdmaRead(2, from, rkey, pair.a().sge(20_000, 10_000)));
    assertThat(pair.a().await()).isSuccess();

    assertThat(pair)
        .sent("WRITE_FIRST", "WRITE_MIDDLE", "WRITE_LAST", "READ_REQUEST")
        .withRetransmissionOf("READ_REQUEST");
    assertThatThrownBy(() -> assertThat(pair.b()).sent())
        .hasMessageContaining("READ_RESPONSE_LAST psn=5");
  }

  @Test
  void theReceiverNotReadyHasAName(QpPair pair) {
    pair.a().qp().postSend(SendWr.send(1, pair.a().sge(0, 5)));
    pair.emulator().run(java.time.Duration.ofMillis(1));
    pair.b().qp().postRecv(RecvWr.of(2, pair.b().sge(0, 64)));
    assertThat(pair.b().await()).hasByteLen(5);
    assertThat(pair.a().await()).isSuccess();

    assertThat(pair).sent("SEND_ONLY").received("RNR_NAK", "RNR_NAK", "ACK");
  }

  @Test
  void aCompletionThatIsNotAsExpectedSaysWhy(QpPair pair) {
    WorkCompletion refused = PairWork.write(pair, 5, 4711);

    assertThat(refused).hasStatus(WcStatus.REM_ACCESS_ERR).isExplainedBy("NAK 0x62");
    assertThatThrownBy(() -> assertThat(refused).isSuccess())
        .hasMessageStartingWith(
            """
            expected status SUCCESS
            but it was wr_id 1 of QP 0x000011: REM_ACCESS_ERR
              because: the peer answered PSN 0 with NAK 0x62, remote access error""");
    assertThatThrownBy(() -> assertThat(refused).hasOpcode(WcOpcode.RDMA_WRITE))
        .hasMessageStartingWith("expected opcode RDMA_WRITE\nbut it was wr_id 1 of QP 0x000011");
    assertThatThrownBy(() -> assertThat(refused).isExplainedBy("no answer"))
        .hasMessageStartingWith("expected words that explain it: \"no answer\"\nbut it was wr_id");
  }
}
