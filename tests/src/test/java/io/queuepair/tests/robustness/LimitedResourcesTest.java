// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes with few file descriptors or little heap. */
@Timeout(120)
@Tag("processes")
final class LimitedResourcesTest {
  /** Limit that suffices for a JVM with the class path of the tests, and some devices. */
  private static final int DESCRIPTORS = 200;

  private static String port() {
    return String.valueOf(FreePort.of(LimitedProgram.SUBNET + "1"));
  }

  /** Runs the program to its end. */
  private static List<String> run(String limit, String heap, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", limit + "exec \"$0\" \"$@\""));
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-ea", heap));
    command.addAll(List.of("-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LimitedProgram.class.getName());
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  @ParameterizedTest
  @EnumSource
  @EnabledOnOs(OS.LINUX)
  void aDeviceWithoutAFileDescriptorIsRefusedAndAllAreGivenBack(UdpOptions.Transport transport)
      throws Exception {
    String limit = "ulimit -n " + DESCRIPTORS + "; ";

    List<String> said = run(limit, "-Xmx64m", "descriptors", transport.name(), port());

    assertThat(said.get(1)).startsWith("refused: ").contains("Too many open files");
    assertThat(said.get(2)).isEqualTo("descriptors left open: 0");
  }

  @Test
  void messagesNeedLittleHeapInMemory() throws Exception {
    assertThat(run("", "-Xmx32m", "heap")).endsWith("messages: 1000");
  }

  @ParameterizedTest
  @EnumSource
  @EnabledOnOs(OS.LINUX)
  void messagesNeedLittleHeapOverUdp(UdpOptions.Transport transport) throws Exception {
    assertThat(run("", "-Xmx32m", "heap", transport.name(), port())).endsWith("messages: 1000");
  }

  /** Programs that need little of what a process has, to be run with little of it. */
  static final class LimitedProgram {
    static final String SUBNET = "127.0.94.";

    private static final int MANY_DEVICES = 250;
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int FREED_CHUNKS = 64;
    private static final int ROUNDS = 5;
    private static final int MESSAGES = 200;

    private LimitedProgram() {}

    /**
     * Runs one of them, which says what came of it.
     *
     * @param args its name, and of some a transport and a UDP port
     */
    public static void main(String[] args) throws IOException {
      switch (args[0]) {
        case "descriptors" -> useUpDescriptors(udp(args));
        case "heap" ->
            fillHeap(args.length == 1 ? InMemoryFabric.virtualTime() : UdpFabric.open(udp(args)));
        default -> throw new IllegalArgumentException(args[0]);
      }
    }

    private static UdpOptions udp(String... args) {
      return UdpOptions.defaults()
          .withTransport(UdpOptions.Transport.valueOf(args[1]))
          .withPort(Integer.parseInt(args[2]));
    }

    private static Emulator on(UdpOptions options) {
      return Emulator.on(UdpFabric.open(options));
    }

    /** Descriptors of networks: sockets, pipes, event polls. The JVM opens files when it likes. */
    private static long descriptors() throws IOException {
      try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
        return all.filter(LimitedProgram::isOfANetwork).count();
      }
    }

    private static boolean isOfANetwork(Path descriptor) {
      try {
        return !Files.readSymbolicLink(descriptor).isAbsolute();
      } catch (IOException isClosed) {
        return false;
      }
    }

    /** Opens devices until the system refuses one, and closes all of them. */
    private static void useUpDescriptors(UdpOptions options) throws IOException {
      openOne(options); // Also loads the classes that are needed when there is no descriptor left.
      try (Emulator emulator = on(options)) {
        System.out.println("refused: " + refusal(emulator, "192.0.2.77"));
      }
      long before = descriptors();

      try (Emulator emulator = on(options)) {
        String refusal = null;
        for (int i = 1; i < MANY_DEVICES && refusal == null; i++) {
          refusal = refusal(emulator, SUBNET + i);
        }
        System.out.println("refused: " + refusal);
      }
      openOne(options);

      System.out.println("descriptors left open: " + (descriptors() - before));
    }

    private static void openOne(UdpOptions options) {
      try (Emulator emulator = on(options)) {
        emulator.addDevice(SUBNET + 1).open();
      }
    }

    private static String refusal(Emulator emulator, String address) {
      try {
        emulator.addDevice(address);
        return null;
      } catch (FabricException refused) {
        return refused.getMessage();
      }
    }

    private static void exchange(Pair pair, long number) {
      MemoryRegion target = pair.b().region();
      pair.a().region().buffer().putLong(0, number);
      pair.b().postRecv(RecvWr.of(number, target.sge(0, Long.BYTES)));
      pair.a().postSend(SendWr.send(number, pair.a().region().sge(0, Long.BYTES)));
      for (CompletionQueue cq : List.of(pair.b().recvCq(), pair.a().sendCq())) {
        WorkCompletion completion = pair.await(cq);
        if (!completion.isSuccess()) {
          throw new AssertionError(completion.explain());
        }
      }
      if (target.buffer().getLong(0) != number) {
        throw new AssertionError("not what was sent: " + target.buffer().getLong(0));
      }
    }

    /** Exchanges messages again and again after the heap was full, and while it almost is. */
    private static void fillHeap(Fabric fabric) {
      try (Pair pair = Pair.on(fabric).hosts(SUBNET + 1, SUBNET + 2).connect()) {
        Deque<byte[]> hog = new ArrayDeque<>();
        long number = 0;
        for (int round = 0; round < ROUNDS; round++) {
          fill(hog);
          for (int i = 0; i < MESSAGES; i++) {
            exchange(pair, number++);
          }
          hog.clear();
        }
        System.out.println("messages: " + number);
      }
    }

    private static void fill(Deque<byte[]> hog) {
      try {
        while (true) {
          hog.add(new byte[CHUNK_BYTES]);
        }
      } catch (OutOfMemoryError isFull) {
        for (int i = 0; i < FREED_CHUNKS; i++) {
          hog.poll();
        }
      }
    }
  }
}
