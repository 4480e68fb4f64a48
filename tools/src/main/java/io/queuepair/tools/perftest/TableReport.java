// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.io.PrintWriter;
import java.util.List;

/** Prints what perftest prints, so that scripts which read it understand. */
final class TableReport implements Report {
  private static final String RULE = "-".repeat(87);

  private final PrintWriter out;
  private final PerftestSettings settings;
  private final String deviceName;

  TableReport(PrintWriter out, PerftestSettings settings, String deviceName) {
    this.out = out;
    this.settings = settings;
    this.deviceName = deviceName;
  }

  @Override
  public void begin(NegotiatedParameters parameters, List<PeerQp> locals) {
    PerftestOptions options = settings.options();
    out.println(RULE);
    out.println("                    " + settings.title());
    if (options.usesEvents) {
      out.println(" Test with events. Using " + deviceName + "_comp0");
    }
    out.println(" Dual-port       : OFF\t\tDevice         : " + deviceName);
    out.println(" Number of qps   : " + locals.size() + "\t\tTransport type : IB");
    String srq = onOrOff(options.usesSrq || settings.isXrc());
    out.println(" Connection type : " + settings.serviceName() + "\t\tUsing SRQ      : " + srq);
    out.println(" PCIe relax order: OFF");
    out.println(" ibv_wr* API     : OFF");
    if (settings.isSending() && !(settings.isServer() && settings.isLatency())) {
      out.println(" TX depth        : " + settings.txDepth());
    } else if (settings.isReceiving()) {
      out.println(" RX depth        : " + settings.rxDepth());
    }
    if (!settings.isLatency()) {
      out.println(" CQ Moderation   : " + settings.cqModeration());
    }
    out.println(" Mtu             : " + parameters.mtu().bytes() + "[B]");
    out.println(" Link type       : Ethernet");
    out.println(" GID index       : " + options.gidIndex);
    out.println(
        settings.operation().isAnswered()
            ? " Outstand reads  : " + locals.get(0).outReads()
            : " Max inline data : " + settings.inlineSize() + "[B]");
    out.println(" rdma_cm QPs\t : " + onOrOff(options.usesRdmaCm));
    out.println(" Data ex. method : " + (options.usesRdmaCm ? "rdma_cm" : "Ethernet"));
    if (options.usesRdmaCm && settings.isServer()) {
      out.println(RULE);
      out.println(" Waiting for client rdma_cm QP to connect");
      out.println(" Please run the same command with the IB/RoCE interface IP");
    }
    out.println(RULE);
    locals.forEach(local -> out.println(describe(local, "local")));
  }

  private static String onOrOff(boolean isOn) {
    return isOn ? "ON" : "OFF";
  }

  /** Through the connection manager perftest takes every queue pair for one that sends. */
  private String describe(PeerQp qp, String side) {
    boolean isOverCm = settings.options().usesRdmaCm;
    return qp.describe(side, isOverCm ? PerftestOperation.SEND : settings.operation());
  }

  @Override
  public void peers(List<PeerQp> peers) {
    peers.forEach(peer -> out.println(describe(peer, "remote")));
    out.println(RULE);
    if (settings.isLatency() && !settings.isSending()) {
      return;
    }
    out.println(
        settings.isLatency()
            ? LatencyResult.heading(settings.isTimed())
            : BandwidthResult.heading(settings.options().inGigabits));
  }

  @Override
  public void add(Result result) {
    if (result instanceof BandwidthResult bandwidth) {
      out.println(bandwidth.row(settings.options().inGigabits));
    } else if (result instanceof LatencyResult latency) {
      out.println(settings.isTimed() ? latency.timedRow(settings.ways()) : latency.row());
    }
  }

  @Override
  public void end() {
    if (settings.isSending() || !settings.isLatency()) {
      out.println(RULE);
    }
  }
}
