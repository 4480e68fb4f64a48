package io.queuepair.tools.perftest;

import io.queuepair.verbs.Mtu;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Traffic that is only told: addresses and results are those of a recording. */
final class RecordedTraffic implements Traffic {
  private final Settings settings;
  private final List<Destination> own;
  private final Deque<BandwidthResult> results;
  final List<Destination> connected = new ArrayList<>();
  final List<Integer> sizes = new ArrayList<>();

  RecordedTraffic(Settings settings, List<Destination> own, List<BandwidthResult> results) {
    this.settings = settings;
    this.own = own;
    this.results = new ArrayDeque<>(results);
  }

  @Override
  public Mtu mtu() {
    return Mtu.MTU_1024;
  }

  @Override
  public List<Destination> open(Agreement agreement) {
    return own;
  }

  @Override
  public void connect(List<Destination> peers) {
    connected.addAll(peers);
  }

  @Override
  public void prepare(int size) {}

  /** The client of a one-way run tells of its last size only. */
  @Override
  public Result run(int size) {
    sizes.add(size);
    if (settings.isLatency()) {
      return new LatencyResult(size, 1, 1, new LatencyResult.Spread(1, 1, 0, Map.of()));
    }
    boolean isLast = results.size() == 1;
    if (results.isEmpty()) {
      return BandwidthResult.NONE;
    }
    return isLast ? results.peek() : results.poll();
  }
}
