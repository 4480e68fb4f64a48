// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpType;
import org.jspecify.annotations.Nullable;

/**
 * The offloads of a queue pair.
 *
 * @param maxTso maximum payload bytes of a TSO; 0 without TSO
 * @param maxTsoHeader maximum header bytes of a TSO
 * @param checksums whether checksums of IP, TCP and UDP are computed and verified
 * @param stripsCvlan whether the VLAN tag is removed from received frames
 * @param scaling receive side scaling over work queues; null if the queue pair itself receives
 */
public record Offloads(
    long maxTso,
    int maxTsoHeader,
    boolean checksums,
    boolean stripsCvlan,
    @Nullable ReceiveScaling scaling) {
  public static final Offloads NONE = new Offloads(0, 0, false, false, null);

  /**
   * Offloads of a queue pair whose attributes were checked.
   *
   * @param scaling receive side scaling over work queues; null if the queue pair itself receives
   */
  public static Offloads of(
      QpInitAttrEx initAttr, DeviceProfile profile, @Nullable ReceiveScaling scaling) {
    boolean segments = initAttr.compMask().contains(QpInitAttrMask.MAX_TSO_HEADER);
    boolean strips =
        initAttr.compMask().contains(QpInitAttrMask.CREATE_FLAGS)
            && initAttr.createFlags().contains(QpCreateFlag.CVLAN_STRIPPING);
    Offloads offloads =
        new Offloads(
            segments ? profile.tsoCaps().maxTso() : 0,
            segments ? initAttr.maxTsoHeader() : 0,
            computesChecksums(initAttr.base().qpType(), profile),
            strips,
            scaling);
    return offloads.equals(NONE) ? NONE : offloads;
  }

  /** Offloads of a work queue, which only receives frames. */
  public static Offloads ofReceives(boolean stripsCvlan, DeviceProfile profile) {
    return new Offloads(0, 0, computesChecksums(QpType.RAW_PACKET, profile), stripsCvlan, null);
  }

  private static boolean computesChecksums(QpType type, DeviceProfile profile) {
    return switch (type) {
      case UD -> profile.can(DeviceCapFlag.UD_IP_CSUM);
      case RAW_PACKET -> profile.can(DeviceCapFlag.RAW_IP_CSUM);
      case RC, UC, XRC_SEND, XRC_RECV, DRIVER -> false;
    };
  }
}
