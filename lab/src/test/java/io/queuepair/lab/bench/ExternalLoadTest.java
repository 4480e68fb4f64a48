// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Reads what the programs of the libraries printed, and runs them. */
final class ExternalLoadTest {
  /** Output of ucx_perftest 1.13 with -f. */
  private static final String UCX =
      """
      | Test | # iterations | 50.0%ile | average | overall | average | overall | average | overall |
      +--------------+--------------+----------+---------+---------+----------+----------+-----+
             2000      0.211  1449.769   552.047       43.11     113.21         690        1811
      """;

  /** Output of fi_pingpong 1.17. */
  private static final String FABRIC =
      """
      bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
      64      2k      =2k      250k        2.39s      0.11     597.72       0.00
      """;

  private static ExternalLoad shell(String server, String client) {
    return new ExternalLoad("a shell", server, client, 1);
  }

  @Test
  void readsTheFigure() throws IOException {
    assertThat(ExternalLoad.UCX.read(UCX)).isEqualTo(1449.769);
    assertThat(ExternalLoad.LIBFABRIC.read(FABRIC)).isEqualTo(597.72);
  }

  @Test
  void whatPrintsNoFigureIsSaid() {
    assertThatThrownBy(() -> ExternalLoad.UCX.read("started\n8 bytes\n\n"))
        .isInstanceOf(IOException.class)
        .hasMessage("ucx_perftest printed no figure");
  }

  /** The server only runs; the client prints its arguments. */
  @Test
  void aDurationIsTurnedIntoMessagesPerSecond() throws IOException {
    assertThat(shell("sleep 20", "echo 1 4").messagesPerSecond(1)).isEqualTo(250_000);
  }

  @Test
  void aServerThatEndsIsSaid() {
    assertThatThrownBy(() -> shell("true", "false").messagesPerSecond(1))
        .isInstanceOf(IOException.class);
  }

  @Test
  void onlyInstalledProgramsAreComparedWith() {
    assertThat(shell("true", "sh -c true").isInstalled()).isTrue();
    assertThat(shell("true", "no-program -x").isInstalled()).isFalse();
  }
}
