// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of structures against the headers of the system, by the C compiler. */
class RdmacmLayoutTest {
  private static final String TABLE = "rdmacm_layout.h";
  private static final Path HEADER = Path.of("/usr/include/rdma/rdma_cma.h");
  private static final Path COMPILER = Path.of("/usr/bin/cc");

  @TempDir private Path directory;

  private String compile(String program) throws IOException, InterruptedException {
    Path source = Files.writeString(directory.resolve("check.c"), program);
    Process process =
        new ProcessBuilder(COMPILER.toString(), "-fsyntax-only", source.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }

  private static String table() throws IOException {
    try (InputStream in = VerbsAbi.class.getResourceAsStream(TABLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void structuresAreThoseOfTheHeader() throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.exists(HEADER), "needs the headers of librdmacm");
    Assumptions.assumeTrue(Files.isExecutable(COMPILER), "needs a C compiler");
    Assumptions.assumeTrue(System.getProperty("os.arch").equals("amd64"), "is of x86-64");
    String checks =
        """
        #include <stddef.h>
        #include <rdma/rdma_cma.h>
        #define SIZE(s, n) _Static_assert(sizeof(struct s) == n, #s);
        #define FIELD(s, f, n) _Static_assert(offsetof(struct s, f) == n, #s "." #f);
        """;
    assertThat(compile(checks + table())).isEmpty();
    String wrong = table().replace("SIZE(rdma_event_channel, 4)", "SIZE(rdma_event_channel, 5)");
    assertThat(compile(checks + wrong)).contains("static assertion failed");
  }
}
