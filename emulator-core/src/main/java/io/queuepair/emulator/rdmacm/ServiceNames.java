// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Names of services in the file of the system ({@code services(5)}). */
final class ServiceNames {
  static final String TCP = "tcp";
  static final String UDP = "udp";

  private static final Path FILE = Path.of("/etc/services");

  private ServiceNames() {}

  /** Port of a service with a protocol; empty if the system does not know it. */
  static Optional<Integer> port(String name, String protocol) {
    try {
      return port(Files.readAllLines(FILE, StandardCharsets.ISO_8859_1), name, protocol);
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /** Reason why a name has no port, as the end of a sentence. */
  static String absence(String protocol) {
    return Files.isReadable(FILE)
        ? ", nor the name of a service by " + protocol + " in " + FILE
        : ", and there is no " + FILE + ", which would have names";
  }

  /** Finds a service in lines that consist of a name, a port and a protocol, and aliases. */
  static Optional<Integer> port(List<String> lines, String name, String protocol) {
    for (String line : lines) {
      List<String> words = Arrays.asList(line.replaceFirst("#.*", "").strip().split("\\s+"));
      boolean isNamed = words.size() > 1 && words.indexOf(name) >= 0 && words.indexOf(name) != 1;
      if (isNamed && words.get(1).matches("[0-9]{1,5}/" + protocol)) {
        return Optional.of(Integer.valueOf(words.get(1).replaceFirst("/.*", "")));
      }
    }
    return Optional.empty();
  }
}
