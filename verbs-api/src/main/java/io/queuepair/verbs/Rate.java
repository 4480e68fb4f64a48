// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A static rate ({@code enum ibv_rate}); its name is what the link is called, rounded. */
public enum Rate implements VerbsConstant {
  /** No limit. */
  RATE_MAX(0, -1, -1),

  /** 2.5 Gbit/s. */
  RATE_2_5_GBPS(2, 1, 2_500),

  /** 5 Gbit/s. */
  RATE_5_GBPS(5, 2, 5_000),

  /** 10 Gbit/s. */
  RATE_10_GBPS(3, 4, 10_000),

  /** 20 Gbit/s. */
  RATE_20_GBPS(6, 8, 20_000),

  /** 30 Gbit/s. */
  RATE_30_GBPS(4, 12, 30_000),

  /** 40 Gbit/s. */
  RATE_40_GBPS(7, 16, 40_000),

  /** 60 Gbit/s. */
  RATE_60_GBPS(8, 24, 60_000),

  /** 80 Gbit/s. */
  RATE_80_GBPS(9, 32, 80_000),

  /** 120 Gbit/s. */
  RATE_120_GBPS(10, 48, 120_000),

  /** 14 Gbit/s. */
  RATE_14_GBPS(11, -1, 14_062),

  /** 56 Gbit/s. */
  RATE_56_GBPS(12, -1, 56_250),

  /** 112 Gbit/s. */
  RATE_112_GBPS(13, -1, 112_500),

  /** 168 Gbit/s. */
  RATE_168_GBPS(14, -1, 168_750),

  /** 25 Gbit/s. */
  RATE_25_GBPS(15, -1, 25_781),

  /** 100 Gbit/s. */
  RATE_100_GBPS(16, -1, 103_125),

  /** 200 Gbit/s. */
  RATE_200_GBPS(17, -1, 206_250),

  /** 300 Gbit/s. */
  RATE_300_GBPS(18, -1, 309_375),

  /** 28 Gbit/s. */
  RATE_28_GBPS(19, 11, 28_125),

  /** 50 Gbit/s. */
  RATE_50_GBPS(20, 20, 53_125),

  /** 400 Gbit/s. */
  RATE_400_GBPS(21, 160, 425_000),

  /** 600 Gbit/s. */
  RATE_600_GBPS(22, 240, 637_500),

  /** 800 Gbit/s. */
  RATE_800_GBPS(23, 320, 850_000),

  /** 1200 Gbit/s. */
  RATE_1200_GBPS(24, 480, 1_275_000);

  private final int code;
  private final int mult;
  private final int mbps;

  Rate(int code, int mult, int mbps) {
    this.code = code;
    this.mult = mult;
    this.mbps = mbps;
  }

  @Override
  public int code() {
    return code;
  }

  /**
   * The rate as a multiple of the base rate, 2.5 Gbit/s.
   *
   * @return the multiple, rounded down; -1 if libibverbs has none
   */
  @Verb("ibv_rate_to_mult")
  public int toMult() {
    return mult;
  }

  /**
   * The rate that is a multiple of the base rate, 2.5 Gbit/s.
   *
   * @param mult the multiple
   * @return the rate; {@link #RATE_MAX} if no rate is
   */
  @Verb("mult_to_ibv_rate")
  public static Rate ofMult(int mult) {
    for (Rate rate : values()) {
      if (mult > 0 && rate.mult == mult) {
        return rate;
      }
    }
    return RATE_MAX;
  }

  /**
   * The rate in Mbit/s.
   *
   * @return Mbit/s of data; -1 for {@link #RATE_MAX}
   */
  @Verb("ibv_rate_to_mbps")
  public int toMbps() {
    return mbps;
  }

  /**
   * The rate of so many Mbit/s.
   *
   * @param mbps Mbit/s of data
   * @return the rate; {@link #RATE_MAX} if no rate is exactly that
   */
  @Verb("mbps_to_ibv_rate")
  public static Rate ofMbps(int mbps) {
    for (Rate rate : values()) {
      if (mbps > 0 && rate.mbps == mbps) {
        return rate;
      }
    }
    return RATE_MAX;
  }
}
