// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a device ({@code struct ibv_device_attr}); constant for its life.
 *
 * @param fwVer firmware version
 * @param nodeGuid GUID of the node
 * @param sysImageGuid GUID of the system image
 * @param vendorId IEEE vendor id
 * @param vendorPartId part number of the vendor
 * @param hwVer hardware version
 * @param deviceCapFlags capabilities
 * @param atomicCap scope of atomics
 * @param maxInlineData bytes of inline data a queue pair may ask for
 * @param physPortCnt ports
 * @param limits every limit; a limit that is not offered is 0
 */
public record DeviceAttr(
    String fwVer,
    long nodeGuid,
    long sysImageGuid,
    int vendorId,
    int vendorPartId,
    int hwVer,
    Set<DeviceCapFlag> deviceCapFlags,
    AtomicCap atomicCap,
    int maxInlineData,
    int physPortCnt,
    Map<DeviceLimit, Long> limits) {
  /**
   * Copies the capabilities and the limits.
   *
   * @param fwVer firmware version
   * @param nodeGuid GUID of the node
   * @param sysImageGuid GUID of the system image
   * @param vendorId IEEE vendor id
   * @param vendorPartId part number of the vendor
   * @param hwVer hardware version
   * @param deviceCapFlags capabilities
   * @param atomicCap scope of atomics
   * @param maxInlineData bytes of inline data a queue pair may ask for
   * @param physPortCnt ports
   * @param limits every limit; a limit that is not offered is 0
   */
  public DeviceAttr {
    deviceCapFlags = FlagSet.copyOf(deviceCapFlags, "deviceCapFlags");
    limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
  }

  /**
   * One limit.
   *
   * @param limit which
   * @return its value, unsigned; 0 if not offered
   */
  public long limit(DeviceLimit limit) {
    return limits.getOrDefault(limit, 0L);
  }
}
