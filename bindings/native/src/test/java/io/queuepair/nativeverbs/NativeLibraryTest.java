// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The C library is whole, compiles without a warning, and says what is missing without a compiler.
 */
final class NativeLibraryTest {
  private static final Path SOURCES =
      Path.of("src/main/resources", NativeLibrary.class.getPackageName().replace('.', '/'));

  @TempDir private Path directory;

  @Test
  void namesAllSources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      List<String> present =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".c") || name.endsWith(".h"))
              .toList();

      assertThat(NativeLibrary.sources().keySet()).containsExactlyInAnyOrderElementsOf(present);
    }
  }

  @Test
  void saysWhatToInstallWithoutCompiler() {
    assertThatThrownBy(() -> NativeLibrary.in(new CacheDirectory(directory), "/nowhere"))
        .isInstanceOf(NativeException.class)
        .hasMessageContaining("apt-get install gcc");
  }

  @Test
  @Tag("processes")
  void compilesOnceWithoutWarnings() throws IOException {
    CompiledProgram.assumeCompiler();
    CacheDirectory cache = new CacheDirectory(directory);

    Path library = NativeLibrary.in(cache, System.getenv("PATH"));

    assertThat(library).isNotEmptyFile();
    assertThat(NativeLibrary.in(cache, System.getenv("PATH"))).isEqualTo(library);
    Path own = library.getParent();
    assertThat(CompiledProgram.warnings(own, own)).isEmpty();
    assertThat(CompiledProgram.warnings(own, CompiledProgram.SOURCES)).isEmpty();
  }

  @Test
  @Tag("processes")
  void theTableOfTheAbiIsThatOfTheSystemsHeader() throws IOException {
    CompiledProgram.assumeCompiler();
    assumeTrue(Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "there is no verbs.h");
    Path library = ServiceProcess.library().getParent();

    assertThat(CompiledProgram.warnings(library, CompiledProgram.SOURCES, "-DSYSTEM_VERBS"))
        .isEmpty();
  }
}
