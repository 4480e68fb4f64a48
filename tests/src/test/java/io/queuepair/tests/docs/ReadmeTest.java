// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

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
  void itsTestCompilesAndPasses() throws Exception {
    new PageProgram("README.md", "WriteTest", directory).runByJUnit();
  }
}
