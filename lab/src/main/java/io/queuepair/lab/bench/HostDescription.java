// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What figures depend on.
 *
 * @param processor its name, as far as the system tells
 * @param processors how many the JVM may use
 * @param system operating system and version
 * @param java version and vendor of the JVM
 * @param loadAverage of the last minute, before anything was measured; negative if unknown
 */
record HostDescription(
    String processor, int processors, String system, String java, double loadAverage) {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  static HostDescription here() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return new HostDescription(
        processorName(),
        system.getAvailableProcessors(),
        system.getName() + " " + system.getVersion() + " " + system.getArch(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
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

  String text() {
    return String.format(
        Locale.ROOT,
        "%d x %s, %s, %s, load average %.1f",
        processors,
        processor,
        system,
        java,
        loadAverage);
  }
}
