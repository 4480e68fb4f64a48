// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls to Linux, with the library in this process. */
@Tag("processes")
final class KernelTest {
  private static final int NICE_AFTER_NAME = 16; // proc(5): field 19 of stat, the name is field 2.

  private static final long SLICE_NANOS = 100_000;
  private static final int LEAST = 19; // Any user may set it.

  /** Shown as root: others may not lower a nice value, so that it stays in any case. */
  @Test
  void aThreadKeepsItsNiceValueWhenItsSliceIsSet() throws Exception {
    CompiledProgram.assumeCompiler();
    System.load(ServiceProcess.library().toString());
    FutureTask<Integer> seen = new FutureTask<>(KernelTest::niceValueAfterSlice);
    new Thread(seen).start();

    assertThat(seen.get()).isEqualTo(LEAST);
  }

  private static int niceValueAfterSlice() throws Exception {
    Path thread = Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
    String id = thread.getFileName().toString();
    String value = Integer.toString(LEAST);
    assertThat(new ProcessBuilder("renice", "-n", value, "-p", id).start().waitFor()).isZero();

    Kernel.setSlice(SLICE_NANOS);

    String stat = Files.readString(thread.resolve("stat"));
    return Integer.parseInt(
        stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE_AFTER_NAME]);
  }
}
