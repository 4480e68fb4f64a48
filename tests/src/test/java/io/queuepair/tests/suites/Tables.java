// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import java.util.function.Function;
import java.util.stream.Stream;

/** All cases that are rows of a table. */
final class Tables {
  private Tables() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(
            SendCases.rows(),
            ReadCases.rows(),
            WriteCases.rows(),
            AtomicCases.rows(),
            WindowCases.rows(),
            InvalidationCases.rows(),
            DatagramCases.rows(),
            ExtendedPostingCases.rows(),
            PdCases.rows())
        .flatMap(Function.identity());
  }
}
