// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page of the documentation that is generated. Its test fails if it is out of date, unless it
 * runs with {@code -Dpages=write}, which writes the page first.
 *
 * @param path of the page, from the root of the project
 * @param command what generates it
 */
public record GeneratedPage(String path, String command) {
  /** One that only a test can generate. */
  public static GeneratedPage byTest(String path, Class<?> test) {
    return new GeneratedPage(
        path,
        "mvn -q -Dquick -pl tests -am test -Dtest="
            + test.getSimpleName()
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dpages=write");
  }

  /** One that is printed by the tools. */
  public static GeneratedPage byTool(String path, String arguments) {
    return new GeneratedPage(path, "bin/queuepair " + arguments + " > " + path);
  }

  /** Fails unless the page is what is generated now. */
  public void check(String generated) throws IOException {
    Path page = SourceTree.root().resolve(path);
    if ("write".equals(System.getProperty("pages"))) {
      Files.writeString(page, generated);
    }
    assertThat(Files.readString(page))
        .as(path + " is not what is generated now: run " + command)
        .isEqualToNormalizingNewlines(generated);
  }
}
