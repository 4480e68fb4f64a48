// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.interop;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Our side of {@code tests/interop/guest/integrity.py}: compares every byte of SEND, WRITE and
 * READ, both ways. Exits 0 only if all were right.
 */
@CommandLine.Command(name = "integrity-peer", mixinStandardHelpOptions = true)
final class IntegrityPeer implements Callable<Integer> {
  private static final int ACCEPT_MILLIS = 60_000;

  @Option(names = "--bind", required = true, description = "address of the device")
  private String bind;

  @Option(names = "--connect", description = "the other side")
  private String host;

  @Option(names = "--listen", description = "wait for the other side")
  private boolean listens;

  @Option(names = "--port", defaultValue = "18516", description = "TCP port (${DEFAULT-VALUE})")
  private int port;

  @Option(names = "--mtu", defaultValue = "1024", description = "path MTU (${DEFAULT-VALUE})")
  private int mtuBytes;

  private IntegrityPeer() {}

  /** Runs the program. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new IntegrityPeer()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    if (listens == (host != null)) {
      System.err.println("error: one of --listen and --connect is needed");
      return 2;
    }
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      IntegrityEndpoint endpoint = new IntegrityEndpoint(emulator, bind, Mtu.ofBytes(mtuBytes));
      try (Socket socket = openConnection()) {
        return run(new IntegrityLines(socket), endpoint);
      }
    } catch (FabricException failure) {
      System.err.println("error: " + failure.getMessage());
      return 1;
    }
  }

  private Socket openConnection() throws IOException {
    if (host != null) {
      return new Socket(host, port);
    }
    try (ServerSocket server = new ServerSocket(port)) {
      server.setSoTimeout(ACCEPT_MILLIS);
      return server.accept();
    }
  }

  private int run(IntegrityLines lines, IntegrityEndpoint endpoint) throws IOException {
    try {
      return runSteps(lines, endpoint);
    } catch (IOException | VerbsException failure) {
      System.out.println("error: " + failure.getMessage());
      lines.write("error " + failure.getMessage());
      return 1;
    }
  }

  private int runSteps(IntegrityLines lines, IntegrityEndpoint endpoint) throws IOException {
    boolean isClient = host != null;
    shakeHands(lines, endpoint);
    List<IntegrityStep> steps = IntegrityStep.all();
    int bad = 0;
    for (IntegrityStep step : steps) {
      if (isClient) {
        lines.write(step.title());
      } else {
        lines.expect(step.title());
      }
      boolean isActive = step.isClientActive() == isClient;
      String verdict = isActive ? act(lines, endpoint, step) : serve(lines, endpoint, step);
      System.out.println(step.title() + ": " + verdict);
      bad += verdict.equals("ok " + step.number()) ? 0 : 1;
    }
    String done = "done " + steps.size() + " " + bad;
    if (isClient) {
      lines.write(done);
      lines.expect(done);
    } else {
      lines.expect(done);
      lines.write(done);
    }
    System.out.println(steps.size() + " steps, " + bad + " bad");
    return bad == 0 ? 0 : 1;
  }

  private void shakeHands(IntegrityLines lines, IntegrityEndpoint endpoint) throws IOException {
    if (host != null) {
      lines.write(endpoint.hello());
      endpoint.connect(lines.read());
      lines.write("ready");
      lines.expect("ready");
    } else {
      String hello = lines.read();
      lines.write(endpoint.hello());
      endpoint.connect(hello);
      lines.expect("ready");
      lines.write("ready");
    }
  }

  /** The side that posts the work request. */
  private static String act(IntegrityLines lines, IntegrityEndpoint endpoint, IntegrityStep step)
      throws IOException {
    boolean isRead = step.operation() == IntegrityStep.IntegrityOperation.READ;
    if (isRead) {
      endpoint.prepare(step);
    } else {
      endpoint.fill(step);
    }
    lines.expect("go " + step.number());
    endpoint.post(step);
    endpoint.awaitSent(step);
    if (!isRead) {
      lines.write("sent " + step.number());
      return lines.read();
    }
    String verdict = endpoint.verdict(step);
    lines.write(verdict);
    return verdict;
  }

  /** The side whose memory is the target, or the source of a READ. */
  private static String serve(IntegrityLines lines, IntegrityEndpoint endpoint, IntegrityStep step)
      throws IOException {
    IntegrityStep.IntegrityOperation operation = step.operation();
    if (operation == IntegrityStep.IntegrityOperation.READ) {
      endpoint.fill(step);
      lines.write("go " + step.number());
      return lines.read();
    }
    endpoint.prepare(step);
    if (operation != IntegrityStep.IntegrityOperation.WRITE) {
      endpoint.postReceive(step);
    }
    lines.write("go " + step.number());
    lines.expect("sent " + step.number());
    if (operation != IntegrityStep.IntegrityOperation.WRITE) {
      endpoint.awaitReceived(step);
    }
    String verdict = endpoint.verdict(step);
    lines.write(verdict);
    return verdict;
  }
}
