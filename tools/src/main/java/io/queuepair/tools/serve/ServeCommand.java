// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.HostConverter;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.site.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the site and the playground until the process ends. */
@Command(
    name = "serve",
    description = {
      "Serves the documentation, and a playground: edit a scenario in the browser, run it, and step"
          + " through its packets, states and completions. Each packet has buttons that drop it,"
          + " duplicate it or delay it; they add a fault to the scenario and run it again. The"
          + " scenario can be downloaded with what happened, as a file for 'queuepair scenario'.",
      "",
      "It listens on this host only, unless --address says otherwise. A run takes at most 10 s, 128"
          + " MiB and 1000 steps, at most two run at once, and a scenario has no command that"
          + " reads a file or starts a program. One client address has at most 32 connections at"
          + " once, all together 256; further ones are closed, as are those whose request has not"
          + " come after 10 s, or whose answer is not read after 30 s. There is no password and no"
          + " encryption: give --address only on a network whose users may all run scenarios here."
          + " Ctrl-C ends it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair serve                     then open http://127.0.0.1:8018/playground",
      "  queuepair serve --port 0            on a port that is free; it is printed",
      "  queuepair serve --address 0.0.0.0   also for other hosts, such as those of a class"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final int MOST_PORT = 65_535;
  private static final int MOST_AT_ONCE = 2;
  private static final Duration LONGEST_RUN = Duration.ofSeconds(10);

  /** Source list of a Content Security Policy; semicolons and commas would end it. */
  private static final Pattern SOURCES =
      Pattern.compile("[\\w.:/*'\\[\\]-]+( [\\w.:/*'\\[\\]-]+)*");

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8018",
      description = "TCP port, or 0 for one that is free (default ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      converter = HostConverter.class,
      defaultValue = "127.0.0.1",
      description = "address or name of this host to listen on (default ${DEFAULT-VALUE})")
  private String address;

  @Option(
      names = "--frame-ancestors",
      paramLabel = "SOURCES",
      defaultValue = WebAnswer.OWN_PAGES,
      description =
          "whose pages may show a run in a frame, as Content-Security-Policy has it, such as"
              + " https://moodle.example.org, or * for all (default ${DEFAULT-VALUE})")
  private String frameAncestors;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    new RangeChecks(spec.commandLine()).require("--port", port, 0, MOST_PORT);
    if (!SOURCES.matcher(frameAncestors).matches()) {
      throw new ParameterException(
          spec.commandLine(), "--frame-ancestors: '" + frameAncestors + "' are no sources");
    }
    InetSocketAddress listen = new InetSocketAddress(resolved(), port);
    UntrustedRuns runs = new LimitedRuns(new ScenarioProcesses(LONGEST_RUN), MOST_AT_ONCE);
    Playground playground = new Playground(runs);
    try (WebServer server = new WebServer(listen, address, Site::served, playground)) {
      server.allowFrames(frameAncestors);
      String host = address.contains(":") ? "[" + address + "]" : address;
      String top = "http://" + host + ":" + server.port() + "/";
      spec.commandLine().getOut().printf("%s and %splayground; Ctrl-C ends it%n", top, top);
      new CountDownLatch(1).await();
    } catch (IOException impossible) {
      throw new CommandFailure(
          address + " port " + port + " cannot be listened on: " + impossible.getMessage(),
          impossible);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private InetAddress resolved() {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException unknown) {
      throw new CommandFailure("--address: there is no host " + address, unknown);
    }
  }
}
