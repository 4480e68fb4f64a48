// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.load.Load;
import java.io.IOException;
import java.util.function.Function;

/** One way to get a figure. */
interface LoadFactory {
  /**
   * Makes ready what is measured.
   *
   * @param settings of the row
   * @return what can be measured again and again
   */
  Opened open(BenchmarkSettings settings) throws IOException;

  /** Something that is measured in turns. */
  interface Opened extends AutoCloseable {
    /**
     * Measures once.
     *
     * @param nanos how long, at least
     * @return the figure, in the unit of its row
     */
    double measure(long nanos) throws IOException;

    @Override
    default void close() {
      // What begins from nothing each time leaves nothing behind.
    }
  }

  /** What is measured of a load. */
  interface LoadMetric<T extends Load> {
    double of(T load, long nanos);
  }

  /** Measures from nothing each time. */
  static LoadFactory fromNothing(Opened figure) {
    return settings -> figure;
  }

  /** Measures a load that continues where it stopped. */
  static <T extends Load> LoadFactory ofLoad(
      Function<BenchmarkSettings, T> opener, LoadMetric<T> metric) {
    record OpenedLoad<L extends Load>(L load, LoadMetric<L> metric) implements Opened {
      @Override
      public double measure(long nanos) {
        return metric.of(load, nanos);
      }

      @Override
      public void close() {
        load.close();
      }
    }

    return settings -> new OpenedLoad<>(opener.apply(settings), metric);
  }
}
