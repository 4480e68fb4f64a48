// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * Extended attributes of a device ({@code struct ibv_device_attr_ex}); what is not offered is 0 or
 * empty. Fields about tag matching and PCI atomics are left out: no device here has those.
 *
 * @param origAttr what {@link Context#queryDevice} says
 * @param odpCaps on-demand paging
 * @param completionTimestampMask bits of completion timestamps that count
 * @param hcaCoreClock frequency of the clock of timestamps, in kHz
 * @param tsoCaps segmentation of large sends
 * @param rssCaps spreading of frames over work queues
 * @param maxWqTypeRq work queues that receive
 * @param packetPacingCaps limits of rates
 * @param rawPacketCaps what is done with raw packets
 * @param cqModCaps moderation of completion events
 * @param maxDmSize bytes of device memory
 * @param physPortCntEx ports, also more than 255
 */
public record DeviceAttrEx(
    DeviceAttr origAttr,
    OdpCaps odpCaps,
    long completionTimestampMask,
    long hcaCoreClock,
    TsoCaps tsoCaps,
    RssCaps rssCaps,
    int maxWqTypeRq,
    PacketPacingCaps packetPacingCaps,
    Set<RawPacketCap> rawPacketCaps,
    CqModerationCaps cqModCaps,
    long maxDmSize,
    int physPortCntEx) {
  /**
   * Copies the capabilities.
   *
   * @param origAttr what {@link Context#queryDevice} says
   * @param odpCaps on-demand paging
   * @param completionTimestampMask bits of completion timestamps that count
   * @param hcaCoreClock frequency of the clock of timestamps, in kHz
   * @param tsoCaps segmentation of large sends
   * @param rssCaps spreading of frames over work queues
   * @param maxWqTypeRq work queues that receive
   * @param packetPacingCaps limits of rates
   * @param rawPacketCaps what is done with raw packets
   * @param cqModCaps moderation of completion events
   * @param maxDmSize bytes of device memory
   * @param physPortCntEx ports, also more than 255
   */
  public DeviceAttrEx {
    rawPacketCaps = FlagSet.copyOf(rawPacketCaps, "rawPacketCaps");
  }
}
