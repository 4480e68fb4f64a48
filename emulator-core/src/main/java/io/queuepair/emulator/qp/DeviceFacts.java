package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
import java.util.List;

/**
 * What a queue pair must know of its device to check attributes.
 *
 * @param profile limits, capabilities, tables and quirks
 * @param ports what it must know of each port; the first one is port 1
 */
public record DeviceFacts(DeviceProfile profile, List<PortFacts> ports) {
  boolean hasPort(int portNum) {
    return portNum >= 1 && portNum <= ports.size();
  }

  /** Only if {@link #hasPort}. */
  PortFacts port(int portNum) {
    return ports.get(portNum - 1);
  }

  /** The port numbers there are, for a refusal. */
  String portRange() {
    return ports.size() == 1 ? "1" : "1 to " + ports.size();
  }
}
