// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LimitedProcess;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ReportFilesTest {
  private final String side = "write-bw -n 5 -s 64 -p " + LoopbackNetwork.freePort() + " --bind ";

  static boolean hasFullDevice() {
    return LimitedProcess.isPossible();
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aFileThatFailsKeepsNoOtherFromBeingWritten(@TempDir Path folder) throws Exception {
    Path plot = folder.resolve("plot.svg");
    String files = " --out_json --out_json_file /dev/full --plot " + plot;
    CommandRun client;
    try (RunningCommand server = RunningCommand.start((side + LoopbackNetwork.SERVER).split(" "))) {
      server.awaitOutput("Waiting for client");
      client =
          CommandRun.of(
              (side + LoopbackNetwork.CLIENT + files + " " + LoopbackNetwork.SERVER).split(" "));
      server.await();
    }

    assertThat(client.exitCode()).isEqualTo(1);
    assertThat(client.err()).contains("queuepair write-bw: /dev/full cannot be written: ");
    assertThat(plot)
        .content()
        .startsWith("<svg")
        .containsPattern(">MTU [0-9]+, 1 queue pair, tx-depth 128<");
  }
}
