// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import java.util.List;

/**
 * The properties of a device that attribute checks need.
 *
 * @param profile limits, capabilities, tables and quirks
 * @param ports what it must know of each port; the first one is port 1
 */
record DeviceView(DeviceProfile profile, List<PortView> ports) {
  boolean hasPort(int portNum) {
    return portNum >= 1 && portNum <= ports.size();
  }

  /** Only if {@link #hasPort}. */
  PortView port(int portNum) {
    return ports.get(portNum - 1);
  }

  /** The port numbers there are, for a refusal. */
  String portRange() {
    return ports.size() == 1 ? "1" : "1 to " + ports.size();
  }
}
