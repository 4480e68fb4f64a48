// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;

/** Networks between two devices, by the thread that moves their packets. */
enum BenchmarkNetwork {
  /** In memory; the thread that waits moves the packets, one by one, in virtual time. */
  MEMORY,
  /** In memory too, but packets that are sent together arrive together. */
  MEMORY_BURSTS,
  /** UDP over the loopback interface, each device with a network and a thread of its own. */
  UDP,
  /** The same, moved by the thread that opens the device, which spins. */
  UDP_BY_CALLERS;

  private static final int BURST_PACKETS = 256;

  /** The JDK refuses to bind 127.x.y.255, so no number of a process becomes that. */
  private static final int NUMBERS = 255;

  /** The emulators of the two devices, which may be the same. */
  Emulator[] open() {
    return switch (this) {
      case MEMORY -> shared(InMemoryOptions.virtualTime());
      case MEMORY_BURSTS -> shared(InMemoryOptions.virtualTime().withBurstPackets(BURST_PACKETS));
      case UDP -> overUdp(UdpOptions.defaults());
      case UDP_BY_CALLERS ->
          overUdp(
              UdpOptions.defaults().withProgress(ProgressMode.CALLER_DRIVEN).withBusyPoll(true));
    };
  }

  private static Emulator[] overUdp(UdpOptions options) {
    return new Emulator[] {
      Emulator.on(UdpFabric.open(options)), Emulator.on(UdpFabric.open(options))
    };
  }

  private static Emulator[] shared(InMemoryOptions options) {
    Emulator emulator = Emulator.on(InMemoryFabric.create(options));
    return new Emulator[] {emulator, emulator};
  }

  /** The address of device 0 or 1, which no other process has. */
  static String address(int device) {
    long pid = ProcessHandle.current().pid();
    return "127." + (91 + device) + "." + (pid / NUMBERS % NUMBERS) + "." + (pid % NUMBERS);
  }
}
