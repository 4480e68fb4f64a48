// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.verbs.Device;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A trace may ask the emulator while a device is being added: the network may wait for it. */
@Timeout(60)
final class ConcurrentAttachTest {
  /** A network that attaches on request. */
  private static final class SlowFabric extends ForwardingFabric {
    private final CompletableFuture<Void> isAsked = new CompletableFuture<>();
    private final CompletableFuture<Void> mayGoOn = new CompletableFuture<>();

    SlowFabric() {
      super(InMemoryFabric.realTime());
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      isAsked.complete(null);
      mayGoOn.join();
      return super.attach(address, station);
    }
  }

  @Test
  void whoAsksNeedNotWait() {
    SlowFabric network = new SlowFabric();
    try (Emulator emulator = Emulator.on(network)) {
      CompletableFuture<Device> added =
          CompletableFuture.supplyAsync(() -> emulator.addDevice("10.0.0.1"));
      network.isAsked.join();

      assertThat(emulator.devices()).isEmpty();
      assertThat(emulator.faultCounts()).isEmpty();
      assertThat(emulator.coverage()).isNotNull();

      network.mayGoOn.complete(null);
      assertThat(added.join().name()).isEqualTo("qp0");
    }
  }
}
