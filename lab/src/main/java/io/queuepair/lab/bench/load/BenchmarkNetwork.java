// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import java.util.function.Supplier;

/** What is between two devices, and who moves their packets. */
public enum BenchmarkNetwork {
  /** In memory; the thread that waits moves the packets, one by one, in virtual time. */
  MEMORY {
    @Override
    Emulator[] open() {
      return shared(Emulator.inMemory());
    }
  },

  /** The same, but what is sent together arrives together. */
  MEMORY_BURSTS {
    @Override
    Emulator[] open() {
      return inBursts();
    }
  },

  /** The same, but each delivery is a new object. */
  MEMORY_NEW_DELIVERIES {
    @Override
    Emulator[] open() {
      return inPlainForm("queuepair.memory.newDeliveries", BenchmarkNetwork::inBursts);
    }
  },

  /** In memory; a thread of the network moves the packets. */
  MEMORY_BACKGROUND {
    @Override
    Emulator[] open() {
      return shared(Emulator.on(InMemoryFabric.realTime()));
    }
  },

  /** UDP over the loopback interface, each device with a network and a thread of its own. */
  UDP_BACKGROUND {
    @Override
    Emulator[] open() {
      return overUdpInBackground();
    }
  },

  /** The same, but threads that wait never run the event loop of a network. */
  UDP_WITHOUT_LEASE {
    @Override
    Emulator[] open() {
      return inPlainForm("queuepair.udp.noLease", BenchmarkNetwork::overUdpInBackground);
    }
  },

  /** The same, but what the kernel merged is cut into one buffer for each datagram. */
  UDP_SLICED_READS {
    @Override
    Emulator[] open() {
      return inPlainForm("queuepair.udp.slicedReads", BenchmarkNetwork::overUdpInBackground);
    }
  },

  /** UDP over the loopback interface; who polls or waits moves the packets of its own device. */
  UDP_CALLER {
    @Override
    Emulator[] open() {
      return overUdp(UdpOptions.defaults().withProgress(ProgressMode.CALLER_DRIVEN));
    }
  },

  /** The same, but who waits looks again and again instead of sleeping. */
  UDP_CALLER_BUSY {
    @Override
    Emulator[] open() {
      return overUdp(
          UdpOptions.defaults().withProgress(ProgressMode.CALLER_DRIVEN).withBusyPoll(true));
    }
  };

  private static final int BURST_PACKETS = 256;

  /** The JDK refuses to bind 127.x.y.255, so no number of a process becomes that. */
  private static final int NUMBERS = 255;

  /** The emulators of the two devices, which may be the same. */
  abstract Emulator[] open();

  /** Whether each device belongs to the thread that uses it. */
  boolean isDrivenByCallers() {
    return this == UDP_CALLER || this == UDP_CALLER_BUSY;
  }

  private static Emulator[] overUdp(UdpOptions options) {
    return new Emulator[] {
      Emulator.on(UdpFabric.open(options)), Emulator.on(UdpFabric.open(options))
    };
  }

  private static Emulator[] overUdpInBackground() {
    return overUdp(UdpOptions.defaults());
  }

  private static Emulator[] inBursts() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withBurstPackets(BURST_PACKETS);
    return shared(Emulator.on(InMemoryFabric.create(options)));
  }

  /** Opened while a system property turns off what is there for speed only. */
  private static Emulator[] inPlainForm(String property, Supplier<Emulator[]> opener) {
    System.setProperty(property, "true");
    try {
      return opener.get();
    } finally {
      System.clearProperty(property);
    }
  }

  private static Emulator[] shared(Emulator emulator) {
    return new Emulator[] {emulator, emulator};
  }

  /**
   * The address of a device, which no other process has.
   *
   * @param device from 0 on; a process has few of them
   */
  static String address(int device) {
    long pid = ProcessHandle.current().pid();
    return "127." + (91 + device) + "." + (pid / NUMBERS % NUMBERS) + "." + (pid % NUMBERS);
  }
}
