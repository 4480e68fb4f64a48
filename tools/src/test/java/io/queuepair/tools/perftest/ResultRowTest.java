// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines of the table, against what perftest printed for the same numbers. */
final class ResultRowTest {
  /** The numbers are those that the client sent to the server, in exchanges/write_bw.txt. */
  @Test
  void bandwidthIsPrintedAsPerftestDoes() {
    BandwidthResult result = RecordedExchange.read("write_bw").reports(true).get(0);

    assertThat(BandwidthResult.heading(false))
        .isEqualTo(
            " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]");
    assertThat(result.row(false))
        .isEqualTo(" 4096       20               1.08               0.47   \t\t   0.000121");
  }

  /** Both sides printed the sum of what is in exchanges/write_bw_b.txt. */
  @Test
  void bothDirectionsAddUp() {
    RecordedExchange recorded = RecordedExchange.read("write_bw_b");
    BandwidthResult ofClient = recorded.reports(true).get(0);
    BandwidthResult ofServer = recorded.reports(false).get(0);

    assertThat(ofClient.plus(ofServer).row(false))
        .isEqualTo(" 4096       20               2.40               0.99   \t\t   0.000253");
  }

  /** A gigabit is 10^9 bits, "MB" 2^20 bytes: 1000 * 2^20 * 8 / 10^9. */
  @Test
  void gigabitsAreDecimal() {
    BandwidthResult result = new BandwidthResult(65_536, 5000, 1000, 500, 0.008);

    assertThat(result.row(true))
        .isEqualTo(" 65536      5000             8.39               4.19   \t\t   0.008000");
  }

  @Test
  void latencyIsPrintedAsPerftestDoes() {
    Map<Double, Double> percentiles = Map.of(50.0, 10317.03, 99.0, 20328.48, 99.9, 20328.48);
    LatencyResult result =
        new LatencyResult(
            64, 20, 11155.33, new LatencyResult.Spread(3963.53, 20328.48, 3642.94, percentiles));

    assertThat(LatencyResult.heading(false))
        .isEqualTo(
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ");
    assertThat(result.row())
        .isEqualTo(
            " 64      20          3963.53        20328.48      10317.03  \t       11155.33     \t"
                + "3642.94\t\t20328.48 \t\t20328.48");
  }

  @Test
  void latencyOfATimeIsPrintedAsPerftestDoes() {
    LatencyResult result = new LatencyResult(64, 82, 18321.05, null);

    assertThat(LatencyResult.heading(true))
        .isEqualTo(" #bytes        #iterations       t_avg[usec]    tps average");
    assertThat(result.timedRow(2))
        .isEqualTo(" 64            82            18321.05        27.29  ");
  }
}
