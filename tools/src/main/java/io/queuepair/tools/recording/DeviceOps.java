// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.util.Map;
import java.util.Set;

/** Queries of a device, and its end. */
final class DeviceOps {
  /** Limits that are bits or have 64 of them are written in hexadecimal. */
  private static final Set<DeviceLimit> HEXADECIMAL =
      Set.of(DeviceLimit.MAX_MR_SIZE, DeviceLimit.PAGE_SIZE_CAP);

  private DeviceOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("query_device", DeviceOps::query);
    ops.put("close_device", DeviceOps::close);
  }

  private static ObjectNode query(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    args.allow();
    DeviceAttr device;
    try {
      device = side.context().queryDevice();
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    ObjectNode answer = CallResults.success();
    ObjectNode attr = answer.putObject("attr");
    attr.put("fw_ver", device.fwVer());
    attr.put("node_guid", String.format("%016x", device.nodeGuid()));
    attr.put("sys_image_guid", String.format("%016x", device.sysImageGuid()));
    attr.put("vendor_id", device.vendorId());
    attr.put("vendor_part_id", device.vendorPartId());
    attr.put("hw_ver", device.hwVer());
    attr.put(
        "device_cap_flags",
        "0x" + Integer.toHexString(VerbsConstant.mask(device.deviceCapFlags())));
    attr.put("atomic_cap", device.atomicCap().code());
    attr.put("phys_port_cnt", device.physPortCnt());
    // Maps of fast memory regions, which no device has any more.
    attr.put("max_map_per_fmr", 0);
    for (DeviceLimit limit : DeviceLimit.values()) {
      if (HEXADECIMAL.contains(limit)) {
        attr.put(limit.fieldName(), "0x" + Long.toHexString(device.limit(limit)));
      } else {
        attr.put(limit.fieldName(), device.limit(limit));
      }
    }
    return answer.put("num_comp_vectors", side.context().numCompVectors());
  }

  private static ObjectNode close(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    args.allow();
    return CallResults.of(side::close);
  }
}
