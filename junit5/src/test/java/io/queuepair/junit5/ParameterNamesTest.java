// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices that the names of parameters choose, in a class that was compiled with these names. */
class ParameterNamesTest {
  private static final String SOURCE =
      """
      @io.queuepair.junit5.QueuepairTest
      class Named {
        private io.queuepair.verbs.Device ofServer;

        @org.junit.jupiter.api.BeforeEach
        void begin(io.queuepair.verbs.Device client, io.queuepair.verbs.Device server) {
          ofServer = server;
        }

        @org.junit.jupiter.api.Test
        void fails(io.queuepair.verbs.Context server) {
          throw new AssertionError(ofServer == server.device() ? "found" : "another");
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void chooseTheSameDeviceInEveryMethod() throws IOException, ClassNotFoundException {
    Path source = Files.writeString(directory.resolve("Named.java"), SOURCE);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-parameters", "-proc:none", source.toString());
    assertThat(status).isZero();

    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      EngineRun run = EngineRun.of(loader.loadClass("Named"), directory);

      assertThat(run.message()).isEqualTo("found");
      assertThat(run.report()).contains("qp0: 10.0.0.1 (client)\n    qp1: 10.0.0.2 (server)");
    }
  }
}
