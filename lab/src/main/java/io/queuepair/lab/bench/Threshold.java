// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.Locale;

/** Goal of a row: a lower or an upper limit of its figure, or of the ratio to its reference. */
record Threshold(boolean isOfRatio, boolean isLeast, double limit) {
  static Threshold ratioAtLeast(double limit) {
    return new Threshold(true, true, limit);
  }

  static Threshold ratioAtMost(double limit) {
    return new Threshold(true, false, limit);
  }

  static Threshold atLeast(double limit) {
    return new Threshold(false, true, limit);
  }

  static Threshold atMost(double limit) {
    return new Threshold(false, false, limit);
  }

  boolean isReached(double value, double ratio) {
    double compared = isOfRatio ? ratio : value;
    return isLeast ? compared >= limit : compared <= limit;
  }

  String text(Unit unit) {
    String sign = isLeast ? ">= " : "<= ";
    return sign + (isOfRatio ? String.format(Locale.ROOT, "x %.2f", limit) : unit.text(limit));
  }
}
