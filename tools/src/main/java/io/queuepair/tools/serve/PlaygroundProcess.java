// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.scenario.ScenarioPlayer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The process of one run: a scenario from standard input, its answer to standard output. */
final class PlaygroundProcess {
  /** With which this process ends if it needs more memory than it has. */
  static final int OUT_OF_MEMORY = 3;

  private static final int MOST_STEPS = 1_000;

  private PlaygroundProcess() {}

  public static void main(String[] args) throws IOException {
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    byte[] answer = {};
    try {
      answer = answer(text).json().getBytes(StandardCharsets.UTF_8);
    } catch (OutOfMemoryError full) {
      // Of buffers outside the heap: then the JVM does not end by itself.
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write(answer);
    }
  }

  private static RunAnswer answer(String text) {
    List<String> lines = text.lines().toList();
    try {
      ScenarioPlayer run = ScenarioPlayer.tried(lines, MOST_STEPS);
      String file = String.join("\n", run.recorded()) + "\n";
      return new RunAnswer("", run.page(PlaygroundPage.around(text, run)), file);
    } catch (CommandFailure wrong) {
      return RunAnswer.failed(wrong.getMessage());
    }
  }
}
