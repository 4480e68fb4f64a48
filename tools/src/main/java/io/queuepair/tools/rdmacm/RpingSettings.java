// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import java.io.PrintWriter;

/**
 * Settings of one side of rping.
 *
 * @param count pings to send; 0 for no limit
 * @param ownsQp whether the program creates and modifies its queue pair itself
 */
record RpingSettings(
    boolean isServer,
    int count,
    int size,
    boolean isVerbose,
    boolean validates,
    boolean isDebug,
    boolean ownsQp,
    PrintWriter out,
    PrintWriter err) {
  void debug(String format, Object... args) {
    if (isDebug) {
      out.printf(format + "%n", args);
    }
  }

  String side() {
    return isServer ? "server" : "client";
  }
}
