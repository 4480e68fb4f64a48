// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.FabricException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Finds unused loopback addresses. */
final class FreeLoopback {
  private static final int MOST = 1_000;

  /** Failed binds in a row after which the host is taken to have no free address. */
  private static final int MAX_FAILURES = 64;

  private FreeLoopback() {}

  static List<String> addresses(int port, int count) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(count + " addresses are not 1 to " + MOST);
    }
    Random random = new SecureRandom(); // Builds that begin at the same time must differ.
    Set<String> found = new LinkedHashSet<>();
    int failures = 0;
    while (found.size() < count) {
      String address = choose(random);
      try (DatagramChannel probe = DatagramChannel.open()) {
        probe.bind(new InetSocketAddress(address, port));
        found.add(address);
        failures = 0;
      } catch (IOException taken) {
        failures++;
        if (failures == MAX_FAILURES) {
          throw new FabricException(
              "This host has no free loopback addresses with UDP port "
                  + port
                  + " (where it has 127.0.0.1 only, as macOS, others must be added: sudo ifconfig"
                  + " lo0 alias 127.0.0.2): "
                  + taken.getMessage(),
              taken);
        }
      }
    }
    return new ArrayList<>(found);
  }

  /** Random candidate, not near 127.0.0.1: such addresses are often chosen by hand. */
  private static String choose(Random random) {
    int second = 64 + random.nextInt(191);
    int last = 1 + random.nextInt(254);
    return "127." + second + "." + random.nextInt(256) + "." + last;
  }
}
