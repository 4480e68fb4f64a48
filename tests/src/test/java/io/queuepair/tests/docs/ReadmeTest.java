// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_OUT)
class ReadmeTest {
  private static final Pattern PICTURE = Pattern.compile("src(?:set)?=\"([^\"]*)\"");

  @TempDir Path directory;

  @Test
  void itsProgramCompilesAndSendsHello() throws Exception {
    String output = new PageProgram("README.md", "Hello", directory).run();

    assertThat(output).isEqualTo("sent: SUCCESS\nreceived: 5 bytes\n");
  }

  @Test
  void itsTestCompilesAndPasses() throws Exception {
    new PageProgram("README.md", "WriteTest", directory).runByJUnit();
  }

  @Test
  void isShort() {
    assertThat(SourceTree.lines(SourceTree.root().resolve("README.md"))).hasSizeLessThan(171);
  }

  /** tests/browser/screenshots makes them. */
  @Test
  void itsPicturesAreThereAndSmall() throws Exception {
    Path root = SourceTree.root();
    List<String> pictures =
        PICTURE
            .matcher(Files.readString(root.resolve("README.md")))
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(pictures).hasSize(4).allMatch(name -> name.matches(".*-(light|dark)\\.png"));
    for (String picture : pictures) {
      assertThat(root.resolve(picture)).isNotEmptyFile();
      assertThat(Files.size(root.resolve(picture))).as(picture).isLessThan(100_000);
    }
  }
}
