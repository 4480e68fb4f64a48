package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about extended posting is up to date. */
final class ExtendedPostingPageTest {
  private static final String PAGE = "docs/reference/extended-posting.md";
  private static final String COMMAND =
      "mvn -q -Dquick -pl tests -am test -Dtest=ExtendedPostingPageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpages=write";

  @Test
  void thePageIsUpToDate() throws IOException {
    Path page = SourceTree.root().resolve(PAGE);
    String generated = ExtendedPostingPage.of(COMMAND);
    if ("write".equals(System.getProperty("pages"))) {
      Files.writeString(page, generated);
    }

    assertThat(Files.readString(page))
        .as(PAGE + " is not what is generated now: run " + COMMAND)
        .isEqualToNormalizingNewlines(generated);
  }
}
