// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqModerationCaps;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.OdpCaps;
import io.queuepair.verbs.OdpTransportCap;
import io.queuepair.verbs.PacketPacingCaps;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.TransportType;
import io.queuepair.verbs.VerbsConstant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lines about a device, without its ports. */
final class DeviceReport {
  private static final int TAB = 8;
  private static final int COLUMN = 5;
  private static final int WIDE_COLUMN = 6;
  private static final int WIDEST_COLUMN = 8;
  private static final String FLAG = "\t".repeat(COLUMN);

  private final Context context;
  private final DeviceAttr attr;
  private final List<String> lines = new ArrayList<>();

  private DeviceReport(Context context) {
    this.context = context;
    attr = context.queryDevice();
  }

  static List<String> of(Context context, boolean isVerbose) {
    DeviceReport report = new DeviceReport(context);
    report.addIdentity();
    if (isVerbose) {
      report.addLimits();
      report.addExtensions();
    }
    return report.lines;
  }

  private void addIdentity() {
    TransportType transport = context.device().transportType();
    lines.add("hca_id:\t" + context.device().name());
    add("transport", name(transport) + " (" + transport.code() + ")");
    if (!attr.fwVer().isEmpty()) {
      add("fw_ver", attr.fwVer());
    }
    add("node_guid", guid(attr.nodeGuid()));
    add("sys_image_guid", guid(attr.sysImageGuid()));
    add("vendor_id", String.format("0x%04x", attr.vendorId()));
    add("vendor_part_id", attr.vendorPartId());
    add("hw_ver", String.format("0x%X", attr.hwVer()));
    add("phys_port_cnt", attr.physPortCnt());
  }

  /** Adds the limits, in the order of {@link DeviceLimit}, and two lines between them. */
  private void addLimits() {
    for (DeviceLimit limit : DeviceLimit.values()) {
      boolean isOfSrq = limit == DeviceLimit.MAX_SRQ_WR || limit == DeviceLimit.MAX_SRQ_SGE;
      if (!isOfSrq || attr.limit(DeviceLimit.MAX_SRQ) != 0) {
        add(limit.fieldName(), text(limit));
      }
      if (limit == DeviceLimit.MAX_QP_WR) {
        addCapabilities();
      } else if (limit == DeviceLimit.MAX_EE_INIT_RD_ATOM) {
        add("atomic_cap", atomics(attr.atomicCap()));
      }
    }
  }

  private void addCapabilities() {
    int mask = VerbsConstant.mask(attr.deviceCapFlags());
    add("device_cap_flags", String.format("0x%08x", mask));
    for (DeviceCapFlag flag : DeviceCapFlag.values()) {
      if (attr.deviceCapFlags().contains(flag)) {
        lines.add(FLAG + flag);
      }
    }
  }

  private void addExtensions() {
    DeviceAttrEx extended = context.queryDeviceEx();
    addPaging(extended.odpCaps());
    addClocks(extended);
    if (!extended.rawPacketCaps().isEmpty()) {
      lines.add("\traw packet caps:");
      extended.rawPacketCaps().forEach(cap -> lines.add(FLAG + text(cap)));
    }
    int mask = VerbsConstant.mask(attr.deviceCapFlags());
    add("device_cap_flags_ex", String.format("0x%X", mask));
    lines.add("\ttso_caps:");
    lines.add(line(2, "max_tso", WIDE_COLUMN, extended.tsoCaps().maxTso()));
    addSupportedTypes(extended.tsoCaps().supportedQpts());
    addScaling(extended.rssCaps());
    add("max_wq_type_rq", extended.maxWqTypeRq());
    PacketPacingCaps pacing = extended.packetPacingCaps();
    lines.add("\tpacket_pacing_caps:");
    lines.add(line(2, "qp_rate_limit_min", COLUMN, pacing.qpRateLimitMin() + "kbps"));
    lines.add(line(2, "qp_rate_limit_max", COLUMN, pacing.qpRateLimitMax() + "kbps"));
    addSupportedTypes(pacing.supportedQpts());
    lines.add("\ttag matching not supported");
    addModerationAndMemory(extended);
    add("num_comp_vectors", context.numCompVectors());
  }

  private void addScaling(RssCaps caps) {
    lines.add("\trss_caps:");
    addWidest("max_rwq_indirection_tables", caps.maxRwqIndirectionTables());
    addWidest("max_rwq_indirection_table_size", caps.maxRwqIndirectionTableSize());
    int functions = VerbsConstant.mask(caps.rxHashFunctions());
    addWidest("rx_hash_function", String.format("0x%x", functions));
    int fields = VerbsConstant.mask(caps.rxHashFields());
    addWidest("rx_hash_fields_mask", String.format("0x%X", fields));
    addSupportedTypes(caps.supportedQpts());
  }

  private void addWidest(String label, Object value) {
    lines.add(line(2, label, WIDEST_COLUMN, value));
  }

  private void addPaging(OdpCaps caps) {
    lines.add("\tgeneral_odp_caps:");
    caps.general().forEach(cap -> lines.add(FLAG + "ODP_" + cap));
    addPaging("rc", caps.rc());
    addPaging("uc", caps.uc());
    addPaging("ud", caps.ud());
    addPaging("xrc", caps.xrc());
  }

  private void addPaging(String service, Set<OdpTransportCap> caps) {
    lines.add("\t" + service + "_odp_caps:");
    if (caps.isEmpty()) {
      lines.add(FLAG + "NO SUPPORT");
    }
    for (OdpTransportCap cap : caps) {
      lines.add(FLAG + "SUPPORT_" + (cap == OdpTransportCap.SRQ_RECV ? "SRQ" : cap.name()));
    }
  }

  private void addClocks(DeviceAttrEx extended) {
    long mask = extended.completionTimestampMask();
    lines.add(
        mask == 0
            ? "\tcompletion_timestamp_mask not supported"
            : String.format("\tcompletion timestamp_mask:\t\t\t0x%016x", mask));
    if (extended.hcaCoreClock() == 0) {
      lines.add("\tcore clock not supported");
    } else {
      add("hca_core_clock", extended.hcaCoreClock() + "kHZ");
    }
  }

  private void addSupportedTypes(Set<QpType> types) {
    if (!types.isEmpty()) {
      lines.add("\t\tsupported_qp:");
      List.of(QpType.RAW_PACKET, QpType.UD).stream()
          .filter(types::contains)
          .forEach(type -> lines.add(FLAG + "SUPPORT_" + type));
    }
  }

  private void addModerationAndMemory(DeviceAttrEx extended) {
    CqModerationCaps moderation = extended.cqModCaps();
    if (moderation.maxCqCount() != 0 && moderation.maxCqPeriod() != 0) {
      lines.add("");
      lines.add("\tcq moderation caps:");
      lines.add("\t\tmax_cq_count:\t" + moderation.maxCqCount());
      lines.add("\t\tmax_cq_period:\t" + moderation.maxCqPeriod() + " us");
      lines.add("");
    }
    if (extended.maxDmSize() != 0) {
      lines.add("\tmaximum available device memory:\t" + extended.maxDmSize() + "Bytes");
      lines.add("");
    }
  }

  private static String text(RawPacketCap cap) {
    return switch (cap) {
      case CVLAN_STRIPPING -> "C-VLAN stripping offload";
      case SCATTER_FCS -> "Scatter FCS offload";
      case IP_CSUM -> "IP csum offload";
      case DELAY_DROP -> "Delay drop";
    };
  }

  private void add(String label, Object value) {
    lines.add(line(1, label, COLUMN, value));
  }

  private String text(DeviceLimit limit) {
    long value = attr.limit(limit);
    boolean isHexadecimal = limit == DeviceLimit.MAX_MR_SIZE || limit == DeviceLimit.PAGE_SIZE_CAP;
    return isHexadecimal ? "0x" + Long.toHexString(value) : Long.toString(value);
  }

  private static String guid(long guid) {
    return String.format(
        "%04x:%04x:%04x:%04x",
        guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
  }

  private static String name(TransportType transport) {
    return switch (transport) {
      case IB -> "InfiniBand";
      case IWARP -> "iWARP";
      case USNIC -> "usNIC";
      case USNIC_UDP -> "usNIC UDP";
      case UNSPECIFIED -> "unspecified";
      case UNKNOWN -> "invalid transport";
    };
  }

  private static String atomics(AtomicCap scope) {
    return "ATOMIC_" + scope + " (" + scope.code() + ")";
  }

  /** Formats a label and its value, with tabs up to a column. */
  static String line(int indent, String label, int column, Object value) {
    int tabs = column - indent - (label.length() + 1) / TAB;
    return "\t".repeat(indent) + label + ":" + "\t".repeat(tabs) + value;
  }
}
