// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.demo;

import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CoverageOption;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.StrictFaultsOption;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows a reliable connection from RESET to its failure. */
@Command(
    name = "demo",
    description = {
      "Shows two devices on an in-memory network, in virtual time: how a connection is made, a"
          + " SEND, a WRITE and a READ, and what a wrong key does. Prints every packet and every"
          + " completion. Needs no network and no rights.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair demo | less",
      "  queuepair demo --pcap demo.pcapng; queuepair decode demo.pcapng",
      "  queuepair demo --coverage",
      "  queuepair demo --faults 'drop 1st RDMA_WRITE_MIDDLE; drop 2nd ACK'"
    })
public final class DemoCommand implements Callable<Integer> {
  @Mixin private CaptureOption capture;

  @Mixin private FaultsOption faults;

  @Mixin private StrictFaultsOption strictFaults;

  @Mixin private CoverageOption coverage;

  @Spec private CommandSpec spec;

  /**
   * Returns the output of the command.
   *
   * @param explanations receives the device's explanation of the failure, as {@code run --explain}
   *     does
   */
  public static String output(Consumer<String> explanations) {
    StringWriter text = new StringWriter();
    DemoPrinter printer = new DemoPrinter(new PrintWriter(text));
    try (DemoScript script =
        new DemoScript(printer, fabric -> fabric, each -> each.explanations(explanations))) {
      script.run();
    }
    return text.toString();
  }

  @Override
  public Integer call() {
    DemoPrinter demoPrinter = new DemoPrinter(spec.commandLine().getOut());
    try (DemoScript demoScript =
        new DemoScript(
            demoPrinter, capture::around, builder -> strictFaults.inject(builder, faults.plan()))) {
      demoScript.run();
      return coverage.report(demoScript.coverage(), spec.commandLine().getOut());
    }
  }
}
