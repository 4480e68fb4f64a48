// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Address as sent over TCP: LID, numbers and GID in hexadecimal, colons between, a NUL. */
record AddressText(int lid, List<Integer> numbers, Gid gid) {
  private static final int HEX = 16;

  byte[] toMessage() {
    StringBuilder text = new StringBuilder(String.format("%04x", lid));
    numbers.forEach(number -> text.append(String.format(":%06x", number)));
    text.append(String.format(":%016x%016x\0", gid.subnetPrefix(), gid.interfaceId()));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Parses an address that a peer sent; {@code form} names its parts in the error message. */
  static AddressText ofMessage(byte[] message, int count, String form) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    Matcher parts = pattern(count).matcher(text);
    if (!parts.matches()) {
      throw new CommandFailure(
          "Couldn't read remote address: \""
              + text.replaceAll("[^ -~]", ".")
              + "\" is not "
              + form);
    }
    List<Integer> numbers =
        IntStream.range(0, count).mapToObj(i -> number(parts.group(i + 2))).toList();
    Gid gid =
        new Gid(
            Long.parseUnsignedLong(parts.group(count + 2), HEX),
            Long.parseUnsignedLong(parts.group(count + 3), HEX));
    return new AddressText(number(parts.group(1)), numbers, gid);
  }

  private static Pattern pattern(int count) {
    return Pattern.compile(
        "([0-9a-f]{4})" + ":([0-9a-f]{6})".repeat(count) + ":([0-9a-f]{16})([0-9a-f]{16})\0");
  }

  private static int number(String hex) {
    return Integer.parseInt(hex, HEX);
  }
}
