// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.load.FirstCompletion;
import java.io.IOException;
import java.util.List;

/** How long a program takes from the start of its JVM until it has something to show. */
final class StartTime {
  private StartTime() {}

  /** Seconds from starting a JVM to the first completion between two devices in memory. */
  static double seconds() throws IOException {
    long start = System.nanoTime();
    try (ChildJvm jvm = new ChildJvm(List.of(), FirstCompletion.class)) {
      jvm.firstLine();
      double seconds = (System.nanoTime() - start) / 1e9;
      jvm.await();
      return seconds;
    }
  }
}
