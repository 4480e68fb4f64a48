package io.queuepair.tools.demo;

import picocli.CommandLine.Command;
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
    footerHeading = "%nExample:%n",
    footer = "  queuepair demo | less")
public final class DemoCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Creates the command, to be filled by picocli. */
  public DemoCommand() {}

  @Override
  public void run() {
    try (Demonstration demonstration =
        new Demonstration(new Narrator(spec.commandLine().getOut()))) {
      demonstration.run();
    }
  }
}
