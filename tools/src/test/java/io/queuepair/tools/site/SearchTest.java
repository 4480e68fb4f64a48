// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The search finds the page that a query is about, if there is a node to run it. */
@Execution(ExecutionMode.CONCURRENT)
final class SearchTest {

  private static Process start(String... command) {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException notInstalled) {
      return Assumptions.abort("node is not installed");
    }
  }

  @Test
  void theFirstHitOfEachQueryIsItsPage() throws IOException, InterruptedException {
    String script = SourceTree.root().resolve("tests/browser/search.mjs").toString();

    Process node = start("node", script, MadeSite.FOLDER.toAbsolutePath().toString());
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(node.waitFor()).as(said).isZero();
    assertThat(said).startsWith("ok   search: ").endsWith(" passed, 0 failed\n");
  }
}
