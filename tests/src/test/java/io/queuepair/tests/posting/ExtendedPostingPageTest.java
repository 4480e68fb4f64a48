// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page about extended posting is up to date. */
final class ExtendedPostingPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/extended-posting.md", ExtendedPostingPageTest.class);

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(ExtendedPostingPage.of(PAGE.command()));
  }
}
