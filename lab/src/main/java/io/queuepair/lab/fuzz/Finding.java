// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that must not happen, and what it happened after.
 *
 * @param seed of the episode
 * @param index of the last datagram before it, from 0, counted from the beginning of the episode
 * @param what went wrong
 * @param datagrams the last ones, as address, port and bytes in hexadecimal
 */
public record Finding(long seed, long index, String what, List<String> datagrams) {
  /**
   * How to see it again.
   *
   * @return a command
   */
  public String replay() {
    return "queuepair fuzz --datagrams " + (index + 1) + " --seed " + seed;
  }

  /** {@return what is printed of it} */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("violation: seed " + seed + ", datagram " + index + ": " + what);
    datagrams.forEach(datagram -> lines.add("  fired: " + datagram));
    lines.add("  replay: " + replay());
    return lines;
  }
}
