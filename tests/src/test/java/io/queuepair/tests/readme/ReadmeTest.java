package io.queuepair.tests.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_OUT)
class ReadmeTest {
  @TempDir Path directory;

  @Test
  void itsProgramCompilesAndSendsHello() throws Exception {
    String output = new PageProgram("README.md", "Hello", directory).run();

    assertThat(output).isEqualTo("sent: SUCCESS\nreceived: 5 bytes\n");
  }

  @Test
  void theTutorialOfExtendedPostingPrintsWhatItSays() throws Exception {
    String page = "docs/tutorial/extended-posting.md";
    String output = new PageProgram(page, "Batches", directory).run();

    assertThat(output.lines()).hasSize(3);
    assertThat(Files.readString(SourceTree.root().resolve(page)))
        .contains("It prints\n\n" + output.indent(4) + "\n");
  }
}
