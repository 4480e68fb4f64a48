// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ResourceLock(Resources.SYSTEM_OUT)
class TutorialTest {
  private static final String TUTORIAL = "docs/tutorial/";

  @TempDir Path directory;

  private static String read(String page) throws Exception {
    return Files.readString(SourceTree.root().resolve(TUTORIAL + page));
  }

  @ParameterizedTest
  @CsvSource({
    "first-connection.md, FirstConnection",
    "states-and-attributes.md, StatesAndAttributes",
    "what-goes-wrong.md, WhatGoesWrong",
    "event-driven-server.md, EventDrivenServer",
    "extended-posting.md, Batches",
    "connection-manager.md, Answers",
    "threads.md, LostWakeUp",
    "threads.md, Workers"
  })
  void aProgramPrintsWhatItsPageSays(String page, String className) throws Exception {
    String output = new PageProgram(TUTORIAL + page, className, directory).run();

    assertThat(output).isNotBlank();
    assertThat(read(page)).contains("It prints\n\n" + output.indent(4) + "\n");
  }

  @Test
  void theTestsOfAProgramPassAndPrintWhatTheirPageSays() throws Exception {
    PageProgram program = new PageProgram(TUTORIAL + "testing.md", "TransferTest", directory);

    assertThat(program.runTests().lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(read("testing.md")).contains("\n    " + line + "\n"));
  }
}
