// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

/** Text of a peer, for a message to the user. */
public final class PrintableText {
  private PrintableText() {}

  /**
   * Makes it printable: whatever is no character of ASCII, or controls a terminal, becomes a dot.
   */
  public static String printable(String text) {
    return text.replaceAll("[^ -~]", ".");
  }
}
