// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices come and go in a time that does not depend on how many others there are. */
@Tag("large")
final class ManyDevicesTest {
  private static final int DEVICES = 10_000;

  private enum Network {
    VIRTUAL(InMemoryFabric::virtualTime),
    REAL(InMemoryFabric::realTime);

    private final Supplier<Fabric> fabric;

    Network(Supplier<Fabric> fabric) {
      this.fabric = fabric;
    }
  }

  /** At a cost of each device that grows with the others, this would take many minutes. */
  @ParameterizedTest
  @EnumSource
  @Timeout(60)
  void tenThousandComeAndGo(Network network) {
    Emulator emulator = Emulator.on(network.fabric.get());
    for (int i = 0; i < DEVICES; i++) {
      emulator.addDevice("10.7." + (i >> 8) + "." + (i & 0xff));
    }

    assertThat(emulator.devices()).hasSize(DEVICES);
    emulator.close();
  }

  /** A device with two connections takes less than 20,000 bytes; of 27,000 there is no room. */
  @Test
  void aRingOfThreeThousandNeedsLittleHeap() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx80m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ManyDevicesTest.class.getName(),
                "3000")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("3000 devices were connected in a ring");
  }

  /** Connects as many devices as the argument says in a ring, and closes them. */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    try (Emulator emulator = Emulator.inMemory()) {
      List<QueuePair> outgoing = new ArrayList<>();
      List<QueuePair> incoming = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Context context = emulator.addDevice("10.7." + (i >> 8) + "." + (i & 0xff)).open();
        ProtectionDomain domain = context.allocPd();
        CompletionQueue cq = context.createCq(4);
        outgoing.add(domain.createQp(QpInitAttr.rc(cq, QpCap.of(1))));
        incoming.add(domain.createQp(QpInitAttr.rc(cq, QpCap.of(1))));
      }
      for (int i = 0; i < count; i++) {
        Emulator.connect(outgoing.get(i), incoming.get((i + 1) % count));
      }
      System.out.println(count + " devices were connected in a ring");
    }
  }
}
