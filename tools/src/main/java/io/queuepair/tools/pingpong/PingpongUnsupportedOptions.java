// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What the originals can do and this device cannot; asking for it is an error. */
final class PingpongUnsupportedOptions {
  @Option(
      names = {"-o", "--odp", "-O", "--iodp", "-P", "--prefetch"},
      hidden = true)
  private boolean wantsPaging;

  @Option(
      names = {"-t", "--ts"},
      hidden = true)
  private boolean wantsTimestamps;

  @Option(
      names = {"-j", "--dm"},
      hidden = true)
  private boolean wantsDeviceMemory;

  @Option(
      names = {"-N", "--new_send"},
      hidden = true)
  private boolean wantsExtendedPosting;

  /** Refuses them. */
  void check(CommandLine command) {
    refuse(command, wantsPaging, "on-demand paging (-o, -O, -P) is not offered");
    refuse(command, wantsTimestamps, "completion timestamps (-t) are not offered");
    refuse(command, wantsDeviceMemory, "device memory (-j) is not offered");
    refuse(command, wantsExtendedPosting, "the new post send API (-N) is not offered");
  }

  private static void refuse(CommandLine command, boolean isWanted, String why) {
    if (isWanted) {
      throw new ParameterException(command, why);
    }
  }
}
