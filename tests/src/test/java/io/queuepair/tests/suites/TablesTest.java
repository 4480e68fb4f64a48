// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of cases in virtual time. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class TablesTest {
  @Parameter private LinkForm form;

  static Stream<SuiteCase> rows() {
    return Tables.rows();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void runs(SuiteCase row) {
    row.run(Pair.on(form));
  }
}
