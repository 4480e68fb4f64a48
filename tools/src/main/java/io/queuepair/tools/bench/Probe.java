package io.queuepair.tools.bench;

import io.queuepair.tools.bench.load.Load;
import java.io.IOException;
import java.util.function.Function;

/** One way to get a figure. */
interface Probe {
  /**
   * Makes ready what is measured.
   *
   * @param effort of the row
   * @return what can be measured again and again
   */
  Opened open(Effort effort) throws IOException;

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
  interface Metric<T extends Load> {
    double of(T load, long nanos);
  }

  /** Measures from nothing each time. */
  static Probe fromNothing(Opened figure) {
    return effort -> figure;
  }

  /** Measures a load that goes on where it stopped. */
  static <T extends Load> Probe ofLoad(Function<Effort, T> opener, Metric<T> metric) {
    record Kept<L extends Load>(L load, Metric<L> metric) implements Opened {
      @Override
      public double measure(long nanos) {
        return metric.of(load, nanos);
      }

      @Override
      public void close() {
        load.close();
      }
    }

    return effort -> new Kept<>(opener.apply(effort), metric);
  }
}
