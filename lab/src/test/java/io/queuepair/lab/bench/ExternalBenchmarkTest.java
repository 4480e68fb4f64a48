// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

  /** What ib_write_bw 4.5 printed in a guest with Soft-RoCE. */
  private static final String WRITE_BW =
      """
      ---------------------------------------------------------------------------------------
       #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
       65536      500              33.36              29.59  \t\t   0.000473
      ---------------------------------------------------------------------------------------
      """;

  /** What ib_send_lat 6.06 printed. */
  private static final String SEND_LAT =
      """
      ---------------------------------------------------------------------------------------
       #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]
       64      1000          164.03         10532.06      1043.32  \t       1651.02     \t1492.48
      ---------------------------------------------------------------------------------------
      """;

  private static ExternalBenchmark rival(String title) {
    return ExternalBenchmark.ALL.stream()
        .filter(each -> each.title().equals(title))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<Arguments> figures() {
    return Stream.of(
        arguments("UCX over TCP, put 8 B", UCX, 0.001811),
        arguments("UCX over TCP, put 64 KiB", UCX, 0.118686),
        arguments("UCX over TCP, tagged 64 B one way", UCX, 1449.769),
        arguments("libfabric tcp, 64 B one way", FABRIC, 597.72),
        arguments("libfabric tcp, 64 KiB ping-pong", FABRIC, 0.00011),
        // What perftest calls MB is MiB.
        arguments("ib_write_bw on this emulator, 64 KiB", WRITE_BW, 0.031027),
        arguments("ib_write_bw on this emulator, 8 B", WRITE_BW, 0.000473),
        arguments("ib_send_lat on this emulator, 64 B one way", SEND_LAT, 1651.02));
  }

  @ParameterizedTest
  @MethodSource("figures")
  void readsTheFigure(String title, String printed, double figure) throws IOException {
    assertThat(rival(title).read(printed)).isCloseTo(figure, withinPercentage(0.01));
  }

  @Test
  void whatPrintsNoFigureIsQuotedInOneLine() {
    assertThatThrownBy(() -> rival("UCX over TCP, put 8 B").read("started\nno device\n"))
        .isInstanceOf(IOException.class)
        .hasMessage("no device");
    assertThatThrownBy(() -> rival("UCX over TCP, put 8 B").read("8 bytes"))
        .isInstanceOf(IOException.class)
        .hasMessage("no figure in: 8 bytes");
  }

  private static String command(boolean isServer, String title) {
    ExternalBenchmark rival = rival(title);
    return String.join(" ", rival.tool().command(isServer, rival, 7, List.of("queuepair")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          libfabric udp, 64 B one way | fi_pingpong -p udp -e dgram -S 64 -I 50000 -B 7 \
          | fi_pingpong -p udp -e dgram -S 64 -I 50000 -P 7 127.0.0.1
          UCX over TCP, put 8 B | ucx_perftest -p 7 \
          | ucx_perftest 127.0.0.1 -t ucp_put_bw -s 8 -n 200000 -f -p 7
          ib_write_bw on this emulator, 8 B \
          | queuepair run --address 127.0.0.2 -- ib_write_bw -s 8 -F -x 0 -n 100000 -p 7 \
          | queuepair run --address 127.0.0.3 -- ib_write_bw -s 8 -F -x 0 -n 100000 -p 7 127.0.0.1
          """)
  void serverAndClientMeetAtAPort(String title, String server, String client) {
    assertThat(command(true, title)).endsWith(server);
    assertThat(command(false, title)).endsWith(client);
  }

  @Test
  void whatIsNotInstalledSaysHowToInstallIt() {
    assertThat(ExternalTool.UCX.advice())
        .isEqualTo("ucx_perftest is not installed (Debian and Ubuntu: apt install ucx-utils)");
  }
}
