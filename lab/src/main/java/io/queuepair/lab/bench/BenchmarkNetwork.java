// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;

/** Networks between two devices, by the thread that delivers their packets. */
enum BenchmarkNetwork {
  /** In memory; the waiting thread delivers the packets, one by one, in virtual time. */
  MEMORY,
  /** In memory; packets that are sent together arrive together. */
  MEMORY_BURSTS,
  /** In memory, with a thread of its own; a thread that waits moves the packets, too. */
  MEMORY_BACKGROUND,
  /** UDP over the loopback interface; each device has a network and a thread of its own. */
  UDP,
  /** UDP over the loopback interface; the opening thread moves the packets, and spins. */
  UDP_BY_CALLERS;

  private static final int BURST_PACKETS = 256;

  /** Modulus for bytes of addresses: 255 is left out, as the JDK refuses to bind 127.x.y.255. */
  private static final int NUMBERS = 255;

  /** Opens the emulators of the two devices; networks in memory have one for both. */
  Emulator[] open() {
    return switch (this) {
      case MEMORY -> shared(InMemoryOptions.virtualTime());
      case MEMORY_BURSTS -> shared(InMemoryOptions.virtualTime().withBurstPackets(BURST_PACKETS));
      case MEMORY_BACKGROUND -> shared(InMemoryOptions.realTime());
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

  /** Address of device 0 or 1, derived from the process id so that processes rarely share one. */
  static String address(int device) {
    long pid = ProcessHandle.current().pid();
    return "127." + (91 + device) + "." + (pid / NUMBERS % NUMBERS) + "." + (pid % NUMBERS);
  }
}
