// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.CqModerationCaps;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.LinkLayer;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.OdpCaps;
import io.queuepair.verbs.OdpGeneralCap;
import io.queuepair.verbs.OdpTransportCap;
import io.queuepair.verbs.PacketPacingCaps;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.TsoCaps;
import io.queuepair.verbs.VerbsConstant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of devices and ports, as C has them. Bits that the API has no name for are left out.
 */
final class DeviceAttributes {
  static final int SIZE = VerbsAbi.size("ibv_device_attr");
  static final int EXTENDED_SIZE = VerbsAbi.size("ibv_device_attr_ex");
  static final int PORT_SIZE = VerbsAbi.size("ibv_port_attr");

  private static final int FW_VER_ROOM = 64;
  private static final int GRH_REQUIRED = 1;

  private static final Set<DeviceLimit> LONG_LIMITS =
      EnumSet.of(DeviceLimit.MAX_MR_SIZE, DeviceLimit.PAGE_SIZE_CAP);

  private DeviceAttributes() {}

  static DeviceAttr read(long at, int maxInlineData) {
    return new DeviceAttr(
        RawMemory.getText(at, FW_VER_ROOM),
        RawMemory.getBigEndian(at + offset("node_guid")),
        RawMemory.getBigEndian(at + offset("sys_image_guid")),
        number(at, "vendor_id"),
        number(at, "vendor_part_id"),
        number(at, "hw_ver"),
        VerbsConstant.flags(DeviceCapFlag.class, number(at, "device_cap_flags")),
        VerbsConstant.of(AtomicCap.class, number(at, "atomic_cap")).orElse(AtomicCap.NONE),
        maxInlineData,
        RawMemory.getByte(at + offset("phys_port_cnt")),
        limits(at));
  }

  private static Map<DeviceLimit, Long> limits(long at) {
    Map<DeviceLimit, Long> limits = new EnumMap<>(DeviceLimit.class);
    for (DeviceLimit limit : DeviceLimit.values()) {
      limits.put(limit, limit(at + offset(limit.fieldName()), limit));
    }
    return limits;
  }

  private static long limit(long at, DeviceLimit limit) {
    if (LONG_LIMITS.contains(limit)) {
      return RawMemory.getLong(at);
    }
    return switch (limit) {
      case MAX_PKEYS -> RawMemory.getShort(at);
      case LOCAL_CA_ACK_DELAY -> RawMemory.getByte(at);
      default -> Integer.toUnsignedLong(RawMemory.getInt(at));
    };
  }

  static DeviceAttrEx readExtended(long at, DeviceAttr attr) {
    return new DeviceAttrEx(
        attr,
        odp(at),
        extendedLong(at, "completion_timestamp_mask"),
        extendedLong(at, "hca_core_clock"),
        new TsoCaps(
            Integer.toUnsignedLong(extended(at, "tso_caps.max_tso")),
            types(extended(at, "tso_caps.supported_qpts"))),
        // Work queues are not offered through this provider, whatever the device has.
        RssCaps.NONE,
        0,
        new PacketPacingCaps(
            Integer.toUnsignedLong(extended(at, "packet_pacing_caps.qp_rate_limit_min")),
            Integer.toUnsignedLong(extended(at, "packet_pacing_caps.qp_rate_limit_max")),
            types(extended(at, "packet_pacing_caps.supported_qpts"))),
        VerbsConstant.flags(RawPacketCap.class, extended(at, "raw_packet_caps")),
        new CqModerationCaps(
            RawMemory.getShort(at + extendedOffset("cq_mod_caps.max_cq_count")),
            RawMemory.getShort(at + extendedOffset("cq_mod_caps.max_cq_period"))),
        extendedLong(at, "max_dm_size"),
        extended(at, "phys_port_cnt_ex"));
  }

  private static OdpCaps odp(long at) {
    String perTransport = "odp_caps.per_transport_caps.";
    return new OdpCaps(
        VerbsConstant.flags(OdpGeneralCap.class, (int) extendedLong(at, "odp_caps.general_caps")),
        VerbsConstant.flags(OdpTransportCap.class, extended(at, perTransport + "rc_odp_caps")),
        VerbsConstant.flags(OdpTransportCap.class, extended(at, perTransport + "uc_odp_caps")),
        VerbsConstant.flags(OdpTransportCap.class, extended(at, perTransport + "ud_odp_caps")),
        VerbsConstant.flags(OdpTransportCap.class, extended(at, "xrc_odp_caps")));
  }

  private static Set<QpType> types(int bits) {
    Set<QpType> types = EnumSet.noneOf(QpType.class);
    for (QpType type : QpType.values()) {
      if (type.code() < Integer.SIZE && (bits >>> type.code() & 1) != 0) {
        types.add(type);
      }
    }
    return types;
  }

  static PortAttr readPort(long at) {
    return new PortAttr(
        VerbsConstant.of(PortState.class, port(at, "state")).orElse(PortState.NOP),
        mtu(port(at, "max_mtu")),
        mtu(port(at, "active_mtu")),
        port(at, "gid_tbl_len"),
        port(at, "port_cap_flags"),
        Integer.toUnsignedLong(port(at, "max_msg_sz")),
        RawMemory.getShort(at + portOffset("pkey_tbl_len")),
        port(at, "bad_pkey_cntr"),
        port(at, "qkey_viol_cntr"),
        RawMemory.getByte(at + portOffset("active_width")),
        RawMemory.getByte(at + portOffset("active_speed")),
        RawMemory.getByte(at + portOffset("phys_state")),
        VerbsConstant.of(LinkLayer.class, RawMemory.getByte(at + portOffset("link_layer")))
            .orElse(LinkLayer.UNSPECIFIED),
        (RawMemory.getByte(at + portOffset("flags")) & GRH_REQUIRED) != 0);
  }

  private static Mtu mtu(int code) {
    return VerbsConstant.of(Mtu.class, code).orElse(Mtu.MTU_256);
  }

  private static int offset(String field) {
    return VerbsAbi.offset("ibv_device_attr." + field);
  }

  private static int number(long at, String field) {
    return RawMemory.getInt(at + offset(field));
  }

  private static int extendedOffset(String field) {
    return VerbsAbi.offset("ibv_device_attr_ex." + field);
  }

  private static int extended(long at, String field) {
    return RawMemory.getInt(at + extendedOffset(field));
  }

  private static long extendedLong(long at, String field) {
    return RawMemory.getLong(at + extendedOffset(field));
  }

  private static int portOffset(String field) {
    return VerbsAbi.offset("ibv_port_attr." + field);
  }

  private static int port(long at, String field) {
    return RawMemory.getInt(at + portOffset(field));
  }
}
