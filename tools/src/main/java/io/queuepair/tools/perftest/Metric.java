// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** What is asked about an operation. */
enum Metric {
  BANDWIDTH("BW"),
  LATENCY("Latency");

  private final String title;

  Metric(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
