package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.QpType;

/**
 * What a device does for a queue pair of the work of an IP stack.
 *
 * @param maxTso bytes of data in the largest send that is segmented; 0 if none is
 * @param maxTsoHeader bytes of the longest header in front of it
 * @param checksums whether checksums of IP, TCP and UDP are computed and verified
 * @param stripsCvlan whether the VLAN tag is taken from frames that arrive
 */
public record Offloads(long maxTso, int maxTsoHeader, boolean checksums, boolean stripsCvlan) {
  /** Nothing. */
  public static final Offloads NONE = new Offloads(0, 0, false, false);

  /** What a queue pair gets. */
  public static Offloads of(QpType type, DeviceProfile profile) {
    boolean segments = profile.tsoCaps().supportedQpts().contains(type);
    boolean checksums =
        switch (type) {
          case UD -> profile.can(DeviceCapFlag.UD_IP_CSUM);
          case RAW_PACKET -> profile.can(DeviceCapFlag.RAW_IP_CSUM);
          case RC, UC, XRC_SEND, XRC_RECV, DRIVER -> false;
        };
    return new Offloads(
        segments ? profile.tsoCaps().maxTso() : 0,
        segments ? profile.maxTsoHeader() : 0,
        checksums,
        false);
  }
}
