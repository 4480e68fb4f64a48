// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Machine of the figures: processors, system, JVM, and load average before them. */
final class Machine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  static String text() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "%d x %s, %s %s %s, %s %s, load average %.1f",
        system.getAvailableProcessors(),
        processorName(),
        system.getName(),
        system.getVersion(),
        system.getArch(),
        System.getProperty("java.vm.name"),
        System.getProperty("java.version"),
        system.getSystemLoadAverage());
  }

  private static String processorName() {
    try {
      return Files.readAllLines(PROCESSORS).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException elsewhere) {
      return "unknown processor";
    }
  }
}
