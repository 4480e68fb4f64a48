// SPDX-License-Identifier: Apache-2.0
package org.example.pingpong;

/** Runs a command. */
final class Main {
  private Main() {}

  public static void main(String[] args) {
    io.queuepair.tools.Main.main(args);
  }
}
