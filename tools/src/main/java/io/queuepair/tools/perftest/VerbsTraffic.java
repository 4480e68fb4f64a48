// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.DevicePort;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Mtu;
import java.util.List;

/** The traffic of a device. */
final class VerbsTraffic implements TestTraffic {
  private final Context context;
  private final DevicePort port;
  private final PerftestSettings settings;
  private final ProgressLine progress;
  private final CmSession session;
  private PerftestContext endpoint;

  /**
   * Prepares it.
   *
   * @param session what connects the queue pairs, or null if they are connected by modifying them
   */
  VerbsTraffic(
      Context context, PerftestSettings settings, ProgressLine progress, CmSession session) {
    this.context = context;
    this.session = session;
    PerftestOptions options = settings.options();
    port = DevicePort.of(context, options.side.devicePort(), options.gidIndex);
    this.settings = settings;
    this.progress = progress;
  }

  @Override
  public Mtu mtu() {
    Integer wanted = settings.options().mtuBytes;
    if (wanted == null) {
      return port.activeMtu();
    }
    if (wanted > port.activeMtu().bytes()) {
      throw new CommandFailure(
          "mtu " + wanted + " is above the active MTU " + port.activeMtu().bytes());
    }
    return Mtu.ofBytes(wanted);
  }

  @Override
  public List<PeerQp> open(NegotiatedParameters parameters) {
    endpoint = new PerftestContext(context, port, settings, parameters);
    if (session == null) {
      endpoint.createQps();
    } else {
      new CmLanes(session, settings, endpoint).connect();
    }
    return endpoint.peerQps();
  }

  @Override
  public void connect(List<PeerQp> own, List<PeerQp> peers) {
    if (session == null) {
      endpoint.connect(own, peers);
    } else {
      endpoint.aim(peers);
    }
  }

  @Override
  public void prepare(int size) {
    if (settings.isReceiving()) {
      int sharers = settings.sharesReceives() ? endpoint.lanes().size() : 1;
      int each = settings.rxDepth() / sharers;
      endpoint.lanes().forEach(lane -> lane.postReceives(size, each));
    }
  }

  @Override
  public Result run(int size) {
    return settings.isLatency()
        ? new LatencyRun(endpoint, settings, size, progress).run()
        : new BandwidthRun(endpoint, settings, size, progress).run();
  }
}
