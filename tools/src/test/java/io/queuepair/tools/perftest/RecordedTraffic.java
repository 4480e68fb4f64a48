// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.Mtu;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Traffic that is only replayed: addresses and results are those of a recording. */
final class RecordedTraffic implements TestTraffic {
  private final PerftestSettings settings;
  private final List<PeerQp> recordedOwn;
  private final Deque<BandwidthResult> results;
  final List<PeerQp> connected = new ArrayList<>();
  final List<Integer> sizes = new ArrayList<>();

  RecordedTraffic(PerftestSettings settings, List<PeerQp> own, List<BandwidthResult> results) {
    this.settings = settings;
    recordedOwn = own;
    this.results = new ArrayDeque<>(results);
  }

  @Override
  public Mtu mtu() {
    return Mtu.MTU_1024;
  }

  @Override
  public List<PeerQp> open(NegotiatedParameters parameters) {
    return recordedOwn;
  }

  @Override
  public void connect(List<PeerQp> own, List<PeerQp> peers) {
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
