package io.queuepair.tools.perftest;

import java.io.PrintWriter;
import java.util.List;

/** Prints what perftest prints, so that scripts which read it understand. */
final class TableReport implements Report {
  private static final String RULE = "-".repeat(87);

  private final PrintWriter out;
  private final Settings settings;
  private final String deviceName;

  TableReport(PrintWriter out, Settings settings, String deviceName) {
    this.out = out;
    this.settings = settings;
    this.deviceName = deviceName;
  }

  @Override
  public void begin(Agreement agreement, List<Destination> locals) {
    PerftestOptions options = settings.options();
    out.println(RULE);
    out.println("                    " + settings.title());
    out.println(" Dual-port       : OFF\t\tDevice         : " + deviceName);
    out.println(" Number of qps   : " + options.queuePairs + "\t\tTransport type : IB");
    out.println(" Connection type : " + settings.service() + "\t\tUsing SRQ      : OFF");
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
    out.println(" Mtu             : " + agreement.mtu().bytes() + "[B]");
    out.println(" Link type       : Ethernet");
    out.println(" GID index       : " + options.gidIndex);
    out.println(
        settings.operation().isAnswered()
            ? " Outstand reads  : " + locals.get(0).outReads()
            : " Max inline data : 0[B]");
    out.println(" rdma_cm QPs\t : OFF");
    out.println(" Data ex. method : Ethernet");
    out.println(RULE);
    locals.forEach(local -> out.println(local.describe("local", settings.operation())));
  }

  @Override
  public void peers(List<Destination> peers) {
    peers.forEach(peer -> out.println(peer.describe("remote", settings.operation())));
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
