// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "links and permissions are others there")
final class OutputFileTest {
  @TempDir private Path folder;

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** A second name of a file keeps what another file that takes the first name does not have. */
  @Test
  void replacesAFileInsteadOfEmptyingIt() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "before");
    Path second = Files.createLink(folder.resolve("b"), file);

    OutputFile.write(file, "after");

    assertThat(file).hasContent("after");
    assertThat(second).hasContent("before");
    assertThat(files()).containsExactly(file, second);
  }

  @Test
  void keepsPermissionsAndLinks() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r----x"));
    Path link = Files.createSymbolicLink(folder.resolve("b"), file);

    OutputFile.write(link, "after");

    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("after");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r----x");
  }

  @Test
  void aProbeChangesNothing() throws IOException {
    CommandLine command = new CommandLine(CommandSpec.create());
    Path file = Files.writeString(folder.resolve("a"), "before");
    Path dangling = Files.createSymbolicLink(folder.resolve("b"), folder.resolve("c"));

    OutputFile.probe(command, file);
    OutputFile.probe(command, dangling);
    OutputFile.probe(command, folder.resolve("d"));

    assertThat(file).hasContent("before");
    assertThat(files()).containsExactly(file, dangling);
    assertThatThrownBy(() -> OutputFile.probe(command, folder))
        .isInstanceOf(ParameterException.class)
        .hasMessage(folder + " cannot be written: it is a directory");
  }
}
