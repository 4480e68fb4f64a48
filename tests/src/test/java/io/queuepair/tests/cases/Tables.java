package io.queuepair.tests.cases;

import java.util.function.Function;
import java.util.stream.Stream;

/** All cases that are rows of a table. */
final class Tables {
  private Tables() {}

  static Stream<Case> rows() {
    return Stream.of(
            SendCases.rows(),
            ReadCases.rows(),
            WriteCases.rows(),
            AtomicCases.rows(),
            DatagramCases.rows(),
            ExtendedPostingCases.rows())
        .flatMap(Function.identity());
  }
}
