// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of acknowledgements and NAKs on the sends they name. */
final class CompleterTest {
  private EngineFixture us = EngineFixture.ready();

  private void assertCompletes(String script, String sends) {
    us.run(script);

    assertThat(String.join("; ", us.sends())).isEqualTo(sends);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          send 1                                        | ''
          send 1; send 2; send 3; send 4; ACK 102 #3    | 1 SEND 0; 2 SEND 0; 3 SEND 0
          send 1 513; ACK 101 #0                        | ''
          send 1 513; ACK 101 #0; ACK 102               | 1 SEND 513
          silent 1; send 2; ACK 101                     | 2 SEND 0
          # The answer to a READ acknowledges what was sent before.
          send 1; write 2 8; read 3 8; READ_RESPONSE_ONLY 102 8 #3 \
          | 1 SEND 0; 2 RDMA_WRITE 8; 3 RDMA_READ 8
          read 1 0; READ_RESPONSE_ONLY 100              | 1 RDMA_READ 0
          send 1; send 2; ACK 100; ACK 100              | 1 SEND 0
          # Any credit code is an acknowledgement.
          send 1; ACK 100 /0                            | 1 SEND 0
          send 1; ACK 100 /5                            | 1 SEND 0
          send 1; ACK 100 /1e                           | 1 SEND 0
          # Reserved syndromes.
          send 1; NAK40 100                             | ''
          send 1; NAK5f 100                             | ''
          send 1; NAK80 100                             | ''
          send 1; NAKff 100                             | ''
          # NAKs of what was never sent.
          send 1; NAK60 101                             | ''
          send 1; NAK61 101                             | ''
          send 1; NAK62 101                             | ''
          send 1; NAK63 101                             | ''
          send 1; NAK20 101                             | ''
          """)
  void completesEverythingUpToTheAcknowledgedPsn(String script, String sends) {
    assertCompletes(script, sends);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void acknowledgesAcrossThePsnWrap() {
    us = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));

    assertCompletes("send 1; send 2; send 3; ACK 1 #3", "1 SEND 0; 2 SEND 0; 3 SEND 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {OWN_PSN + 1, OWN_PSN + 50, OWN_PSN + 0x7f_ffff, OWN_PSN - 1})
  void ignoresAnAcknowledgementOfWhatIsNotInFlight(int psn) {
    assertCompletes("send 1; ACK " + psn, "");

    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.drops(DropReason.STALE_RESPONSE)).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          send 1; send 2; send 3; NAK61 101 | 1 SEND 0; 2 REM_INV_REQ_ERR; 3 WR_FLUSH_ERR
          send 1; send 2; send 3; NAK62 101 | 1 SEND 0; 2 REM_ACCESS_ERR; 3 WR_FLUSH_ERR
          send 1; send 2; send 3; NAK63 101 | 1 SEND 0; 2 REM_OP_ERR; 3 WR_FLUSH_ERR
          send 1; send 2; send 3; NAK65 101 | 1 SEND 0; 2 REM_OP_ERR; 3 WR_FLUSH_ERR
          send 1; send 2; send 3; NAK7f 101 | 1 SEND 0; 2 REM_OP_ERR; 3 WR_FLUSH_ERR
          # Failures are reported also of what is not signaled.
          silent 1; silent 2; NAK62 100     | 1 REM_ACCESS_ERR; 2 WR_FLUSH_ERR
          send 1 768; NAK61 101             | 1 REM_INV_REQ_ERR
          read 1 8; NAK62 100               | 1 REM_ACCESS_ERR
          read 1 512; READ_RESPONSE_FIRST 100; NAK62 101 | 1 REM_ACCESS_ERR
          """)
  void failsWithTheStatusOfTheNak(String script, String sends) {
    us.run("recv 8; recv 9");

    assertCompletes(script, sends);
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.receives()).containsExactly("8 WR_FLUSH_ERR", "9 WR_FLUSH_ERR");
  }

  @Test
  void placesReadDataInOrder() {
    RegisteredMemory target = us.register(new byte[1024]);
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 16, 515)));

    us.run("; READ_RESPONSE_FIRST 100; READ_RESPONSE_MIDDLE 101; READ_RESPONSE_LAST 102 3");

    assertThat(us.sends()).containsExactly("1 RDMA_READ 515");
    assertThat(contentOf(target))
        .isEqualTo(
            TestPayloads.join(new byte[16], TestPayloads.pattern(515, 9), new byte[1024 - 531]));
  }

  @Test
  void failsAReadIntoMemoryWithoutLocalWrite() {
    RegisteredMemory readOnly = us.register(new byte[8], EnumSet.of(AccessFlag.REMOTE_READ));
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(readOnly)), SendWr.send(2));

    assertCompletes("; READ_RESPONSE_ONLY 100 8", "1 LOC_PROT_ERR; 2 WR_FLUSH_ERR");
    assertThat(contentOf(readOnly)).containsOnly(0);
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void noticesABadKeyOfAReadOnlyWhenTheAnswerComes() {
    RegisteredMemory region = us.region();
    Sge bad = new Sge(region.addr(), 8, region.key() ^ 1);
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, bad));

    assertCompletes("", "");
    assertCompletes("READ_RESPONSE_ONLY 100 8", "1 LOC_PROT_ERR");
  }
}
