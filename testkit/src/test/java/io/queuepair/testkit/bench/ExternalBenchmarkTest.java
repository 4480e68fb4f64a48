// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads what the programs of the libraries printed, and says how they are started. */
final class ExternalBenchmarkTest {
  /** What ucx_perftest 1.13 -f printed. */
  private static final String UCX =
      """
      | Test | # iterations | 50.0%ile | average | overall | average | overall | average | overall |
      +--------------+--------------+----------+---------+---------+----------+----------+-----+
             2000      0.211  1449.769   552.047       43.11     113.21         690        1811
      """;

  /** What fi_pingpong 1.17 printed. */
  private static final String FABRIC =
      """
      bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
      64      2k      =2k      250k        2.39s      0.11     597.72       0.00
      """;

  private static ExternalBenchmark rival(String title) {
    return ExternalBenchmark.ALL.stream()
        .filter(each -> each.title().equals(title))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void readsTheRateOfUcx() {
    assertThat(rival("UCX over TCP, put 8 B").read(UCX)).isCloseTo(0.001811, within(1e-9));
    assertThat(rival("UCX over TCP, put 64 KiB").read(UCX)).isCloseTo(0.118686, within(1e-6));
    assertThat(rival("UCX over TCP, tagged 64 B one way").read(UCX)).isEqualTo(1449.769);
  }

  @Test
  void readsTheLatencyOfLibfabric() {
    assertThat(rival("libfabric tcp, 64 B one way").read(FABRIC)).isEqualTo(597.72);
    assertThat(rival("libfabric tcp, 64 KiB ping-pong").read(FABRIC))
        .isCloseTo(0.00011, within(1e-9));
  }

  @Test
  void serverAndClientMeetAtAPort() {
    List<String> test = List.of("-p", "udp");

    assertThat(ExternalTool.LIBFABRIC.command(test, 9, 7, null))
        .containsExactly("fi_pingpong", "-p", "udp", "-I", "9", "-B", "7");
    assertThat(ExternalTool.LIBFABRIC.command(test, 9, 7, "host"))
        .containsExactly("fi_pingpong", "-p", "udp", "-I", "9", "-P", "7", "host");
    assertThat(ExternalTool.UCX.command(List.of("-t", "x"), 9, 7, null))
        .endsWith("ucx_perftest", "-p", "7");
    assertThat(ExternalTool.UCX.command(List.of("-t", "x"), 9, 7, "host"))
        .endsWith("ucx_perftest", "host", "-t", "x", "-n", "9", "-f", "-p", "7");
  }

  @Test
  void whatIsNotInstalledSaysHowToInstallIt() {
    assertThat(ExternalTool.UCX.absence())
        .isEqualTo("ucx_perftest is not installed (Debian and Ubuntu: apt install ucx-utils)");
  }
}
