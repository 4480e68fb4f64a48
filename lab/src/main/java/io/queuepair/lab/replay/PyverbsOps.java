// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.Op;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GidType;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WqInitAttr;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Calls recorded through pyverbs, named by their action, answered with its exceptions. */
final class PyverbsOps {
  static final String SIDE = "pyverbs";

  private static final int PORT = 1;
  private static final int FULL_GID = 1;
  private static final int EMPTY_GID = 3;
  private static final int CQ_ENTRIES = 4;
  private static final int PAGE_BYTES = 4_096;
  private static final int GID_GROUP_CHARS = 4;

  /** Interface index on the recorded machine; an emulated device has no interface. */
  private static final int ETH0 = 2;

  private PyverbsOps() {}

  static Map<String, Op> all() {
    Map<String, Op> ops = new LinkedHashMap<>();
    PostingOps.addTo(ops);
    addObjects(ops);
    addQueries(ops);
    addCompletionQueues(ops);
    return ops;
  }

  /** Makes a call; a refusal is answered as by pyverbs: call, errno and its text. */
  static ObjectNode answer(String what, Runnable call) {
    try {
      call.run();
      return CallResults.success();
    } catch (VerbsException refused) {
      String text = what + ". Errno: " + refused.errno().code() + ", " + text(refused.errno());
      return CallResults.refusal(refused).put("text", text);
    }
  }

  /** Text of {@code strerror} for the errnos that occur. */
  private static String text(Errno errno) {
    return switch (errno) {
      case EINVAL -> "Invalid argument";
      case ENODATA -> "No data available";
      case ENOMEM -> "Cannot allocate memory";
      case ENOSPC -> "No space left on device";
      case EOPNOTSUPP -> "Operation not supported";
      default -> errno.name();
    };
  }

  private static void addObjects(Map<String, Op> ops) {
    ops.put("open_xrcd", op("Failed to allocate XRCD", device -> device.context().openXrcd()));
    ops.put("create_wq", op("Failed to create WQ", PyverbsOps::createWorkQueue));
    ops.put("alloc_dm", (device, args, seen) -> allocateDeviceMemory(device));
    ops.put(
        "alloc_parent_domain",
        op(
            "Failed to allocate Parent Domain",
            device -> device.context().allocParentDomain(device.context().allocPd(), null)));
    ops.put(
        "reg_dmabuf_mr",
        op(
            "Failed to allocate dmabuf of size " + PAGE_BYTES + " on gpu 0",
            device ->
                device
                    .context()
                    .allocPd()
                    .regMrEx(
                        MrInitAttr.of()
                            .with(MrInitAttrMask.FD)
                            .with(MrInitAttrMask.FD_OFFSET)
                            .withIova(0))));
    // MR without a length: pyverbs calls ibv_reg_mr with length 0, not ibv_alloc_null_mr.
    ops.put(
        "alloc_null_mr",
        op(
            "Failed to register a MR. length: 0, access flags: 0",
            device -> device.context().allocPd().regMr(ByteBuffer.allocateDirect(0), Set.of())));
  }

  private static Op op(String failure, Consumer<RecordedDevice> call) {
    return (device, args, seen) -> answer(failure, () -> call.accept(device));
  }

  private static void createWorkQueue(RecordedDevice device) {
    Context context = device.context();
    context.createWq(WqInitAttr.of(context.allocPd(), context.createCq(1), 1, 1)).close();
  }

  /** pyverbs checks the capability before the call, and reports no errno then. */
  private static ObjectNode allocateDeviceMemory(RecordedDevice device) {
    if (device.context().queryDeviceEx().maxDmSize() == 0) {
      return CallResults.empty()
          .put(CallResults.RET, -1)
          .put("text", "Device doesn't support dm allocation");
    }
    return answer(
        "Failed to allocate DM", () -> device.context().allocDm(AllocDmAttr.of(PAGE_BYTES)));
  }

  private static void addQueries(Map<String, Op> ops) {
    ops.put("query_device_ex", (device, args, seen) -> queryDevice(device));
    ops.put(
        "query_rt_values_ex",
        op("Failed to query real time values", device -> device.context().queryRtValuesEx()));
    ops.put("query_gid_ex_1", (device, args, seen) -> queryGid(device, FULL_GID));
    ops.put("query_gid_ex_3_empty", (device, args, seen) -> queryGid(device, EMPTY_GID));
    ops.put("query_gid_table", (device, args, seen) -> queryGids(device));
    ops.put("query_gid_type_1", (device, args, seen) -> queryGidType(device));
  }

  private static ObjectNode queryDevice(RecordedDevice device) {
    DeviceAttrEx attr = device.context().queryDeviceEx();
    ObjectNode answer = CallResults.success();
    answer
        .putObject("value")
        .put("max_qp_wr", attr.origAttr().limit(DeviceLimit.MAX_QP_WR))
        .put("comp_mask", 0)
        .put("odp_general", VerbsConstant.mask(attr.odpCaps().general()))
        .put("hca_core_clock", attr.hcaCoreClock())
        .put("ts_mask", attr.completionTimestampMask())
        .put(
            "device_cap_flags_ex",
            "0x" + Integer.toHexString(VerbsConstant.mask(attr.origAttr().deviceCapFlags())))
        .put("phys_port_cnt_ex", attr.physPortCntEx());
    return answer;
  }

  private static ObjectNode queryGid(RecordedDevice device, int index) {
    String[] text = new String[1];
    ObjectNode answer =
        answer(
            "Failed to query gid table of port " + PORT + " in index " + index,
            () -> text[0] = text(device.context().queryGidEx(PORT, index)));
    return text[0] == null ? answer : answer.put("value", text[0]);
  }

  private static ObjectNode queryGids(RecordedDevice device) {
    ObjectNode answer = CallResults.success();
    ArrayNode texts = answer.putArray("value");
    int slots = device.context().queryPort(PORT).gidTblLen();
    device.context().queryGidTable(slots).forEach(entry -> texts.add(text(entry)));
    return answer;
  }

  /** GID type as Linux shows it in sysfs: 1 for RoCE version 2, 0 for anything else. */
  private static ObjectNode queryGidType(RecordedDevice device) {
    GidType type = device.context().queryGidEx(PORT, FULL_GID).gidType();
    return CallResults.success().put("value", type == GidType.ROCE_V2 ? 1 : 0);
  }

  private static String text(GidEntry entry) {
    String digits = HexFormat.of().formatHex(entry.gid().toBytes());
    String gid = digits.replaceAll("(.{" + GID_GROUP_CHARS + "})(?!$)", "$1:");
    String type =
        switch (entry.gidType()) {
          case IB -> "IB";
          case ROCE_V1 -> "RoCEv1";
          case ROCE_V2 -> "RoCEv2";
        };
    return String.format("%-24s: %s\n", "GID", gid)
        + line("GID Index", entry.gidIndex())
        + line("Port number", entry.portNum())
        + line("GID type", type)
        + line("Ndev ifindex", ETH0);
  }

  private static String line(String label, Object value) {
    return String.format("%-24s: %-20s\n", label, value);
  }

  private static void addCompletionQueues(Map<String, Op> ops) {
    ops.put("create_cq_ex_byte_len", withFields(CreateCqWcFlag.WITH_BYTE_LEN));
    ops.put("create_cq_ex_standard", create(plain()));
    ops.put("create_cq_ex_timestamp", withFields(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP));
    ops.put("create_cq_ex_cvlan", withFields(CreateCqWcFlag.WITH_CVLAN));
    ops.put("create_cq_ex_flow_tag", withFields(CreateCqWcFlag.WITH_FLOW_TAG));
    ops.put(
        "create_cq_ex_wallclock", withFields(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK));
    ops.put(
        "create_cq_ex_single_threaded",
        create(plain().withFlags(CreateCqAttrFlag.SINGLE_THREADED)));
    ops.put(
        "create_cq_ex_ignore_overrun", create(plain().withFlags(CreateCqAttrFlag.IGNORE_OVERRUN)));
    ops.put("create_cq_ex_0", create(CqInitAttrEx.of(0)));
  }

  private static CqInitAttrEx plain() {
    return CqInitAttrEx.of(CQ_ENTRIES);
  }

  private static Op withFields(CreateCqWcFlag... fields) {
    return create(plain().withWcFlags(fields));
  }

  private static Op create(CqInitAttrEx attr) {
    return op("Failed to create extended CQ", device -> device.context().createCqEx(attr));
  }
}
