// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.LinkLayer;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.PortState;
import java.util.ArrayList;
import java.util.List;

/** Lines about one port. */
final class PortReport {
  private static final int INDENT = 3;
  private static final int COLUMN = 6;

  /** A RoCE port has one virtual lane. */
  private static final String ONE_LANE = "1 (1)";

  private final Context context;
  private final int portNum;
  private final PortAttr attr;
  private final List<String> lines = new ArrayList<>();

  private PortReport(Context context, int portNum) {
    this.context = context;
    this.portNum = portNum;
    attr = context.queryPort(portNum);
  }

  static List<String> of(Context context, int portNum, boolean isVerbose) {
    PortReport report = new PortReport(context, portNum);
    report.addState();
    if (isVerbose) {
      report.addProperties();
      report.addGids();
    }
    report.lines.add("");
    return report.lines;
  }

  /** Adds the state and the LIDs, which are 0 on Ethernet. */
  private void addState() {
    lines.add("\t\tport:\t" + portNum);
    add("state", text(attr.state()));
    add("max_mtu", text(attr.maxMtu()));
    add("active_mtu", text(attr.activeMtu()));
    add("sm_lid", 0);
    add("port_lid", 0);
    add("port_lmc", "0x00");
    add("link_layer", text(attr.linkLayer()));
  }

  private void addProperties() {
    add("max_msg_sz", String.format("0x%x", attr.maxMsgSz()));
    add("port_cap_flags", String.format("0x%08x", attr.portCapFlags()));
    add("port_cap_flags2", "0x0000");
    add("max_vl_num", ONE_LANE);
    add("bad_pkey_cntr", String.format("0x%x", attr.badPkeyCntr()));
    add("qkey_viol_cntr", String.format("0x%x", attr.qkeyViolCntr()));
    add("sm_sl", 0);
    add("pkey_tbl_len", attr.pkeyTblLen());
    add("gid_tbl_len", attr.gidTblLen());
    add("subnet_timeout", 0);
    add("init_type_reply", 0);
    add("active_width", width(attr.activeWidth()) + "X (" + attr.activeWidth() + ")");
    add("active_speed", speed(attr.activeSpeed()) + " (" + attr.activeSpeed() + ")");
    add("phys_state", physicalState(attr.physState()) + " (" + attr.physState() + ")");
  }

  /** Adds the GIDs; slots without interface id are empty and left out. */
  private void addGids() {
    for (int index = 0; index < attr.gidTblLen(); index++) {
      Gid gid = context.queryGid(portNum, index);
      if (gid.interfaceId() != 0) {
        add(String.format("GID[%3d]", index), GidText.of(gid) + ", RoCE v2");
      }
    }
  }

  private void add(String label, Object value) {
    lines.add(DeviceReport.line(INDENT, label, COLUMN, value));
  }

  private static String text(PortState state) {
    String name =
        switch (state) {
          case DOWN, INIT, ARMED, ACTIVE -> "PORT_" + state;
          case NOP, ACTIVE_DEFER -> "invalid state";
        };
    return name + " (" + state.code() + ")";
  }

  private static String text(Mtu mtu) {
    return mtu.bytes() + " (" + mtu.code() + ")";
  }

  private static String text(LinkLayer layer) {
    return switch (layer) {
      case UNSPECIFIED -> "Unspecified";
      case INFINIBAND -> "InfiniBand";
      case ETHERNET -> "Ethernet";
    };
  }

  private static String width(int code) {
    return switch (code) {
      case 1 -> "1";
      case 2 -> "4";
      case 4 -> "8";
      case 8 -> "12";
      case 16 -> "2";
      default -> "invalid width";
    };
  }

  private static String speed(int code) {
    return switch (code) {
      case 1 -> "2.5 Gbps";
      case 2 -> "5.0 Gbps";
      case 4, 8 -> "10.0 Gbps";
      case 16 -> "14.0 Gbps";
      case 32 -> "25.0 Gbps";
      case 64 -> "50.0 Gbps";
      case 128 -> "100.0 Gbps";
      default -> "invalid speed";
    };
  }

  /** Name of the physical state; one is misspelt as in {@code ibv_devinfo}, for scripts. */
  private static String physicalState(int code) {
    return switch (code) {
      case 1 -> "SLEEP";
      case 2 -> "POLLING";
      case 3 -> "DISABLED";
      case 4 -> "PORT_CONFIGURATION TRAINNING";
      case 5 -> "LINK_UP";
      case 6 -> "LINK_ERROR_RECOVERY";
      case 7 -> "PHY TEST";
      default -> "invalid physical state";
    };
  }
}
