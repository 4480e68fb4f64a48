// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.util.Map;
import java.util.Set;

/** Operations that query a device and its ports, and close it. */
final class DeviceOps {
  /** Limits with 64 bits or with flags, which are written in hexadecimal. */
  private static final Set<DeviceLimit> HEXADECIMAL =
      Set.of(DeviceLimit.MAX_MR_SIZE, DeviceLimit.PAGE_SIZE_CAP);

  private static final int SWAPPED_SENTINEL_BYTES = 0xadde;

  /** {@code IBV_QPF_GRH_REQUIRED}, which is set for every RoCE port. */
  private static final int GRH_REQUIRED = 1;

  private DeviceOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("query_device", DeviceOps::query);
    ops.put("close_device", DeviceOps::close);
    ops.put("query_port", DeviceOps::queryPort);
    ops.put("query_gid", DeviceOps::queryGid);
    ops.put("query_pkey", DeviceOps::queryPkey);
    ops.put("get_pkey_index", DeviceOps::pkeyIndex);
  }

  private static ObjectNode query(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow();
    DeviceAttr deviceAttr;
    try {
      deviceAttr = device.context().queryDevice();
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    ObjectNode answer = CallResults.success();
    ObjectNode attr = answer.putObject("attr");
    attr.put("fw_ver", deviceAttr.fwVer());
    attr.put("node_guid", String.format("%016x", deviceAttr.nodeGuid()));
    attr.put("sys_image_guid", String.format("%016x", deviceAttr.sysImageGuid()));
    attr.put("vendor_id", deviceAttr.vendorId());
    attr.put("vendor_part_id", deviceAttr.vendorPartId());
    attr.put("hw_ver", deviceAttr.hwVer());
    attr.put(
        "device_cap_flags",
        "0x" + Integer.toHexString(VerbsConstant.mask(deviceAttr.deviceCapFlags())));
    attr.put("atomic_cap", deviceAttr.atomicCap().code());
    attr.put("phys_port_cnt", deviceAttr.physPortCnt());
    // Limit of fast memory regions, which the kernel has removed.
    attr.put("max_map_per_fmr", 0);
    for (DeviceLimit limit : DeviceLimit.values()) {
      if (HEXADECIMAL.contains(limit)) {
        attr.put(limit.fieldName(), "0x" + Long.toHexString(deviceAttr.limit(limit)));
      } else {
        attr.put(limit.fieldName(), deviceAttr.limit(limit));
      }
    }
    return answer.put("num_comp_vectors", device.context().numCompVectors());
  }

  private static ObjectNode close(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow();
    return CallResults.of(device::close);
  }

  private static ObjectNode queryPort(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    PortAttr port;
    try {
      port = device.context().queryPort(args.allow("port").int32("port"));
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    ObjectNode answer = CallResults.success();
    ObjectNode attr = answer.putObject("attr");
    attr.put("state", port.state().code());
    attr.put("max_mtu", port.maxMtu().code());
    attr.put("active_mtu", port.activeMtu().code());
    attr.put("gid_tbl_len", port.gidTblLen());
    attr.put("port_cap_flags", Integer.toUnsignedLong(port.portCapFlags()));
    attr.put("max_msg_sz", port.maxMsgSz());
    putCounter(attr, "bad_pkey_cntr", port.badPkeyCntr(), device, recorded);
    putCounter(attr, "qkey_viol_cntr", port.qkeyViolCntr(), device, recorded);
    attr.put("pkey_tbl_len", port.pkeyTblLen());
    attr.put("active_width", port.activeWidth());
    attr.put("active_speed", port.activeSpeed());
    attr.put("phys_state", port.physState());
    attr.put("link_layer", port.linkLayer().code());
    attr.put("flags", GRH_REQUIRED);
    attr.put("max_vl_num", 1);
    for (String unused : new String[] {"lid", "sm_lid", "lmc", "sm_sl", "subnet_timeout"}) {
      attr.put(unused, 0);
    }
    attr.put("init_type_reply", 0);
    attr.put("port_cap_flags2", 0);
    return answer;
  }

  /** Adds a counter: the emulator's, plus the recorded device's before its scenario. */
  private static void putCounter(
      ObjectNode attr, String name, int counted, RecordedDevice device, ObjectNode recorded) {
    int seen = recorded == null ? 0 : recorded.path("attr").path(name).asInt();
    attr.put(name, counted + device.countedBefore(name, Math.max(0, seen - counted)));
  }

  private static ObjectNode queryGid(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("port", "index");
    try {
      String gid = GidText.of(device.context().queryGid(args.int32("port"), args.int32("index")));
      return CallResults.success().put("gid", gid);
    } catch (VerbsException refused) {
      return CallResults.minusOne(refused).putNull("gid");
    }
  }

  private static ObjectNode queryPkey(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("port", "index");
    try {
      int pkey = device.context().queryPkey(args.int32("port"), args.int32("index"));
      return CallResults.success().put("pkey_be_bytes", String.format("%04x", pkey));
    } catch (VerbsException refused) {
      return CallResults.minusOne(refused)
          .put("pkey_be_bytes", String.format("%04x", SWAPPED_SENTINEL_BYTES));
    }
  }

  private static ObjectNode pkeyIndex(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("port", "pkey_be");
    int wanted = RecordedArgs.hex(args.text("pkey_be"));
    try {
      int index = device.context().getPkeyIndex(args.int32("port"), wanted);
      return CallResults.empty().put(CallResults.RET, index).put("errno", 0);
    } catch (VerbsException refused) {
      return CallResults.minusOne(refused);
    }
  }
}
