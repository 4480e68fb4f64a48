// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost requests and lost acknowledgements: when it is tried again, what is sent, how often. */
final class RetryTest {
  private static final int PSN_ERROR = 0x60;

  private EngineFixture us = EngineFixture.ready();

  @Test
  void waitsForTheWholeTimeout() {
    us.run("send 1");

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
    assertThat(us.elapse(1)).hasSize(1);
  }

  @Test
  void sendsEverythingUnacknowledgedAgain() {
    us.region().bytes().put(0, TestPayloads.pattern(1024, 1));
    us.post(
        SendWr.sendWithImm(1, 0xcafe, sge(us.region(), 0, 513)),
        SendWr.rdmaWrite(2, 0x1000, 5, sge(us.region(), 0, 257)),
        SendWr.rdmaRead(3, 0x1000, 5, sge(us.region(), 0, 8)));
    List<Packet> sent = us.transmit();

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent);
    assertThat(sent.get(2).opcode()).isEqualTo(Opcode.RC_SEND_LAST_WITH_IMM);
  }

  /** Packets sent, an event, and the packets that leave then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          # Inside a message; a WRITE has no new header.
          send 1 769  | ACK 101 #0; timeout | SEND_MIDDLE 102 256; SEND_LAST 103 1
          write 1 513 | ACK 100 #0; timeout | WRITE_MIDDLE 101 256; WRITE_LAST 102 1
          # From the PSN of a sequence NAK, once for each loss.
          send 1; send 2; send 3 | NAK60 101 #1               | SEND_ONLY 101; SEND_ONLY 102
          send 1; send 2         | NAK60 100; NAK60 100 & NAK60 100 | SEND_ONLY 100; SEND_ONLY 101
          send 1; send 2         | NAK60 100; NAK60 101 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 101
          # Nothing that was acknowledged before its turn came again.
          send 1; send 2; send 3 | NAK60 100 & ACK 101 #2     | SEND_ONLY 102
          send 1; send 2         | timeout; send 3 | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 102
          # The timer starts again with progress, and not with each send.
          send 1; send 2         | wait 67108863; ACK 100; wait 67108863 | ''
          send 1; send 2         | wait 67108863; ACK 100; wait 67108864 | SEND_ONLY 101
          send 1                 | wait 67108863; send 2; wait 1 \
          | SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101
          send 1; send 2         | ACK 100; wait 67108863; ACK 100; wait 1 | SEND_ONLY 101
          send 1                 | ACK 100; timeout 100 | ''
          """)
  void resumesWhereTheLossWas(String sent, String then, String left) {
    us.run(sent);

    assertThat(us.run(then)).isEqualTo(left);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void completesOnceAfterALostAcknowledgement() {
    assertThat(us.run("send 1; timeout; ACK 100; ACK 100; timeout 10"))
        .isEqualTo("SEND_ONLY 100; SEND_ONLY 100");

    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void goesBackAcrossThePsnWrap() {
    us = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));
    us.run("send 1; send 2; send 3");

    assertThat(us.run("NAK60 0")).isEqualTo("SEND_ONLY 0; SEND_ONLY 1");
  }

  /** Packets sent before it went back count no more: the window is no larger for them. */
  @Test
  void aLateAcknowledgementMakesNoMoreRoomThanTheWindow() {
    EngineFixture large = EngineFixture.ready(attr -> attr.pathMtu(Mtu.MTU_4096));
    int windowBytes = SendWindowConfig.softRoce().windowBytes();
    int window = windowBytes / Mtu.MTU_4096.bytes();
    large.post(SendWr.send(1, sge(large.register(new byte[4 * windowBytes]))));
    assertThat(large.transmit()).hasSize(window);

    large.deliver(
        large.peer().acknowledge(OWN_PSN, PSN_ERROR, 0), large.peer().ack(OWN_PSN + window - 1, 0));

    assertThat(brief(large.transmit()))
        .hasSize(window)
        .startsWith("SEND_MIDDLE " + (OWN_PSN + window));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6, 7})
  void givesUpAfterRetryCntRetries(int retryCnt) {
    us = EngineFixture.ready(attr -> attr.retryCnt(retryCnt));
    us.run("send 1; send 2");

    assertThat(us.elapse((retryCnt + 1) * TIMEOUT_NANOS - 1)).hasSize(2 * retryCnt);
    assertThat(us.sends()).isEmpty();
    assertThat(us.elapse(1)).isEmpty();
    assertThat(us.sends()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void givesUpOnASequenceNakIfNoRetryIsLeft() {
    us = EngineFixture.ready(attr -> attr.retryCnt(0));
    us.run("send 1; send 2; NAK60 101");

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 RETRY_EXC_ERR");
  }

  @Test
  void hasAllRetriesAgainAfterProgress() {
    us.run("send 1; send 2; timeout 2; ACK 100");

    us.elapse(3 * TIMEOUT_NANOS - 1);
    assertThat(us.sends()).containsExactly("1 SEND 0");
    us.elapse(1);
    assertThat(us.sends()).containsExactly("2 RETRY_EXC_ERR");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 31})
  void waitsAsLongAsTheTimeoutCodeSaysAndForEverWithZero(int code) {
    us = EngineFixture.ready(attr -> attr.timeout(code));
    us.run("send 1");

    assertThat(us.hasDeadline()).isEqualTo(code != 0);
    assertThat(us.elapse((4_096L << code) - 1)).isEmpty();
    assertThat(us.elapse(1)).hasSize(code == 0 ? 0 : 1);
  }

  @Test
  void completesWhatALateAcknowledgementCoversDuringARetry() {
    us.run("send 1; send 2; send 3; timeout; ACK 102 #3");

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 SEND 0", "3 SEND 0");
    assertThat(us.run("send 4")).isEqualTo("SEND_ONLY 103");
  }

  /** A loss of the connection before counts as none of the new one. */
  @Test
  void retriesAtTheFirstLossAfterReset() {
    us.run("send 1; NAK60 100; reset; connect; send 2; send 3");

    assertThat(us.run("NAK60 100")).isEqualTo("SEND_ONLY 100; SEND_ONLY 101");
  }

  @Test
  void readsTheMemoryAgainForARetry() {
    byte[] expected = TestPayloads.fill(4, 0x42);
    us.run("send 1 4");
    us.region().bytes().put(0, expected);

    assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(us.own().sendOnly(OWN_PSN, expected));
  }
}
