package io.queuepair.tools.bench;

import java.util.Locale;

/**
 * What a row is to reach.
 *
 * @param isOfRatio whether it is about the ratio to what stands beside, not the figure itself
 * @param isLeast whether it is the least that is good, not the most
 * @param limit the figure or ratio that is just good
 */
record Goal(boolean isOfRatio, boolean isLeast, double limit) {
  static Goal ratioAtLeast(double limit) {
    return new Goal(true, true, limit);
  }

  static Goal ratioAtMost(double limit) {
    return new Goal(true, false, limit);
  }

  static Goal atLeast(double limit) {
    return new Goal(false, true, limit);
  }

  static Goal atMost(double limit) {
    return new Goal(false, false, limit);
  }

  /** How much of it a row reaches: 1 or more if it is reached. */
  double reached(double value, double ratio) {
    double compared = isOfRatio ? ratio : value;
    return isLeast ? compared / limit : limit / compared;
  }

  String text(Unit unit) {
    String sign = isLeast ? ">= " : "<= ";
    return sign + (isOfRatio ? String.format(Locale.ROOT, "x %.2f", limit) : unit.text(limit));
  }
}
