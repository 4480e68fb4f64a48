// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.HwCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The counters of a port, from the files that Linux shows them in. */
final class CounterFiles {
  private CounterFiles() {}

  /** Reads the counters that the device has. */
  static Map<HwCounter, Long> read(String device, int portNum) {
    Path port = Path.of("/sys/class/infiniband", device, "ports", String.valueOf(portNum));
    Map<HwCounter, Long> counters = new EnumMap<>(HwCounter.class);
    for (HwCounter counter : HwCounter.values()) {
      Path file = port.resolve("hw_counters").resolve(counter.fileName());
      if (Files.exists(file)) { // Drivers have counters of their own.
        counters.put(counter, number(file));
      }
    }
    return counters;
  }

  private static Long number(Path file) {
    try {
      return Long.valueOf(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
