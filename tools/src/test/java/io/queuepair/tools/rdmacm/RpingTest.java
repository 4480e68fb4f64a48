// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.RunningCommand;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole commands over UDP, on two addresses of this host; lines are those of rdma-core 44. */
@Timeout(300)
final class RpingTest {
  /** Addresses that no other test has; another process has other ones. */
  private static final String SERVER = address(63);

  private static final String CLIENT = address(64);
  private static final String SECOND_CLIENT = address(65);

  private static String address(int network) {
    long pid = ProcessHandle.current().pid();
    return "127." + network + "." + (pid / 255 % 255) + "." + (pid % 255);
  }

  private static RunningCommand server(String... options) throws InterruptedException {
    return start("rping", "-s", "-d", options).awaitOutput("rdma_listen");
  }

  private static RunningCommand start(
      String command, String role, String debug, String... options) {
    String[] args = {command, role, debug, "--bind", SERVER, "-a", SERVER};
    return RunningCommand.start(concat(args, options));
  }

  private static CommandRun client(String address, String... options) {
    String[] args = {"rping", "-c", "--bind", address, "-a", SERVER};
    return CommandRun.of(concat(args, options));
  }

  private static String[] concat(String[] first, String... second) {
    return Stream.of(first, second).flatMap(Arrays::stream).toArray(String[]::new);
  }

  @Test
  void pingsAreThoseOfTheOriginal() throws Exception {
    try (RunningCommand server = server("-v")) {
      CommandRun client = client(CLIENT, "-v", "-V", "-C", "2");
      CommandRun served = server.await();

      assertThat(client.exitCode()).isZero();
      assertThat(client.lines())
          .containsExactly(
              "ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr",
              "ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs");
      assertThat(client.err()).isEqualToNormalizingNewlines("client DISCONNECT EVENT...\n");
      assertThat(served.exitCode()).isZero();
      assertThat(served.lines())
          .contains(
              "server ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs");
      assertThat(served.err())
          .isEqualToNormalizingNewlines(
              "server DISCONNECT EVENT...\nwait for RDMA_READ_ADV state 10\n");
    }
  }

  /** {@code -q}: each side for itself, so that the other need not know. */
  @ParameterizedTest
  @CsvSource({
    "-q, -q",
    "-q, -v",
    "-v, -q",
    "-S 26 --transport epoll, -S 26 --transport epoll",
    "-S 1000 --transport nio, -S 1000 --transport nio",
    "-S 65535 --transport epoll, -S 65535 --transport epoll"
  })
  void pingsOfAllKindsComeBack(String ofServer, String ofClient) throws Exception {
    try (RunningCommand server = server(ofServer.split(" "))) {
      CommandRun client = client(CLIENT, ("-V -C 20 " + ofClient).split(" "));

      assertThat(client.exitCode()).as(client.err()).isZero();
      assertThat(server.await().exitCode()).isZero();
    }
  }

  @Test
  void aPersistentServerServesOneAfterTheOther() throws Exception {
    try (RunningCommand server = server("-P")) {
      server.awaitOutput("rdma_listen");
      assertThat(client(CLIENT, "-V", "-C", "3").exitCode()).isZero();
      assertThat(client(SECOND_CLIENT, "-V", "-C", "3").exitCode()).isZero();
    }
  }

  @Test
  void aPingThatIsTooLongForTheServerIsSaid() throws Exception {
    try (RunningCommand server = server("-S", "100")) {
      CommandRun client = client(CLIENT, "-C", "1", "-S", "101");
      CommandRun served = server.await();

      assertThat(client.err()).contains("wait for RDMA_WRITE_ADV state 10");
      assertThat(served.exitCode()).isEqualTo(255);
      assertThat(served.err()).contains("a ping of 101 bytes; the server has room for 100 (-S)");
    }
  }

  /** The first message of the client is before its RTU, and the server ends because of it. */
  @Test
  void aServerThatEndsBeforeTheRtuDisconnects() throws Exception {
    CountDownLatch listens = new CountDownLatch(1);
    PrintWriter says =
        new PrintWriter(Writer.nullWriter()) {
          @Override
          public PrintWriter printf(String format, Object... args) {
            if (format.startsWith("rdma_listen")) {
              listens.countDown();
            }
            return this;
          }
        };
    PrintWriter silent = new PrintWriter(Writer.nullWriter());
    InetSocketAddress address = new InetSocketAddress("10.0.0.1", 7174);
    try (Emulator network = Emulator.on(InMemoryFabric.realTime())) {
      RdmaCm own = network.rdmaCm(network.addDevice("10.0.0.1"));
      RpingServer server =
          new RpingServer(
              new RpingSettings(true, 0, 100, false, false, true, false, says, silent), own, false);
      RdmaCm other = network.rdmaCm(network.addDevice("10.0.0.2"));
      RpingClient client =
          new RpingClient(
              new RpingSettings(false, 1, 101, false, false, false, false, silent, silent), other);
      network.injectFaults(FaultPlan.parse("delay 100ms 1st RTU"));
      FutureTask<Boolean> serves = new FutureTask<>(() -> server.serveOne(address));
      new Thread(serves, "server").start();
      listens.await();

      assertThat(client.run(null, address)).as("that the server left is no failure").isTrue();
      assertThat(serves.get()).isFalse();
      assertThat(network.faultCounts()).containsEntry("delay 100ms 1st RTU", 1L);
    }
  }

  @Test
  void nobodyListensIsARejection() throws Exception {
    try (RunningCommand server = server("-p", "7175")) {
      server.awaitOutput("rdma_listen");
      CommandRun run = client(CLIENT);

      assertThat(run.exitCode()).isEqualTo(255);
      assertThat(run.err()).startsWith("cma event RDMA_CM_EVENT_REJECTED, error 8");
    }
  }
}
