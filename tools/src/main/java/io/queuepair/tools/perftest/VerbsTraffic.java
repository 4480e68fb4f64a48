package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.DevicePort;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Mtu;
import java.util.List;

/** The traffic of a device. */
final class VerbsTraffic implements Traffic {
  private final Context context;
  private final DevicePort port;
  private final Settings settings;
  private final ProgressLine progress;
  private Endpoint endpoint;

  VerbsTraffic(Context context, Settings settings, ProgressLine progress) {
    this.context = context;
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
  public List<Destination> open(Agreement agreement) {
    endpoint = new Endpoint(context, port, settings, agreement);
    return endpoint.destinations();
  }

  @Override
  public void connect(List<Destination> peers) {
    endpoint.connect(peers);
  }

  @Override
  public void prepare(int size) {
    if (settings.isReceiving()) {
      endpoint.lanes().forEach(lane -> lane.postReceives(size, settings.rxDepth()));
    }
  }

  @Override
  public Result run(int size) {
    return settings.isLatency()
        ? new LatencyRun(endpoint, settings, size, progress).run()
        : new BandwidthRun(endpoint, settings, size, progress).run();
  }
}
