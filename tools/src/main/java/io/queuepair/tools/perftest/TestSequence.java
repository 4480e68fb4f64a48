// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import java.util.List;

/**
 * The order of things: what is said over TCP and when messages flow, as perftest 4.5 does it. It
 * differs by operation and metric; both sides keep to it, so neither has to ask.
 */
final class TestSequence {
  private final ControlChannel channel;
  private final PerftestSettings settings;
  private final TestTraffic traffic;
  private final Report report;
  private PeerQp own;

  TestSequence(
      ControlChannel channel, PerftestSettings settings, TestTraffic traffic, Report report) {
    this.channel = channel;
    this.settings = settings;
    this.traffic = traffic;
    this.report = report;
  }

  /** Does all of it. */
  void follow() {
    NegotiatedParameters parameters = channel.agree(NegotiatedParameters.proposal(traffic.mtu()));
    List<Integer> sizes = settings.sizes(parameters.mtu());
    meetPeers(parameters);
    if (settings.isLatency()) {
      measureLatency(sizes);
    } else if (settings.operation() == PerftestOperation.SEND) {
      measureSends(sizes);
    } else if (settings.isBidirectional()) {
      measureBothWays(sizes);
    } else {
      measureOneWay(sizes);
    }
    report.end();
    if (settings.benchmark() != Benchmark.WRITE_LAT) {
      channel.close(own);
    }
  }

  /** Each side tells its addresses before and after it has connected. */
  private void meetPeers(NegotiatedParameters parameters) {
    List<PeerQp> locals = open(parameters);
    own = locals.get(0);
    report.begin(parameters, locals);
    List<PeerQp> peers = channel.exchange(locals);
    traffic.connect(locals, peers);
    if (settings.benchmark() == Benchmark.SEND_BW) {
      channel.meet(own);
      confirm(locals, peers);
    } else {
      confirm(locals, peers);
      channel.meet(own);
    }
    report.peers(peers);
  }

  /** The connection manager needs both sides at the same time. */
  private List<PeerQp> open(NegotiatedParameters parameters) {
    if (!settings.options().usesRdmaCm) {
      return traffic.open(parameters);
    }
    channel.meet(PeerQp.NONE);
    List<PeerQp> locals = traffic.open(parameters);
    channel.meet(PeerQp.NONE);
    return locals;
  }

  private void confirm(List<PeerQp> locals, List<PeerQp> peers) {
    if (!channel.exchange(locals).equals(peers)) {
      throw new CommandFailure(
          "The peer has another number of queue pairs than "
              + locals.size()
              + "; give both the same -q");
    }
  }

  private void measureLatency(List<Integer> sizes) {
    if (settings.operation() == PerftestOperation.SEND) {
      for (int size : sizes) {
        traffic.prepare(size);
        channel.meet(own);
        report.add(traffic.run(size));
      }
      return;
    }
    channel.meet(own);
    if (settings.isSending()) {
      sizes.forEach(size -> report.add(traffic.run(size)));
    }
  }

  /** Both sides see each message, so each measures by itself; bidirectional ones add up. */
  private void measureSends(List<Integer> sizes) {
    for (int size : sizes) {
      traffic.prepare(size);
      channel.meet(own);
      BandwidthResult result = (BandwidthResult) traffic.run(size);
      boolean addsUp = settings.isBidirectional() && !settings.isTimed();
      report.add(addsUp ? result.plus(channel.exchange(result)) : result);
      meetAfterEachSize();
    }
  }

  private void measureBothWays(List<Integer> sizes) {
    for (int size : sizes) {
      channel.meet(own);
      BandwidthResult result = (BandwidthResult) traffic.run(size);
      meetAfterEachSize();
      report.add(result.plus(channel.exchange(result)));
    }
  }

  /** Only the client sees anything; it tells the server of its last size. */
  private void measureOneWay(List<Integer> sizes) {
    if (settings.isServer()) {
      channel.meet(own);
      report.add(channel.exchange(BandwidthResult.NONE));
      return;
    }
    BandwidthResult last = BandwidthResult.NONE;
    for (int size : sizes) {
      last = (BandwidthResult) traffic.run(size);
      report.add(last);
    }
    channel.meet(own);
    channel.tell(last);
  }

  private void meetAfterEachSize() {
    if (settings.options().allSizes) {
      channel.meet(own);
    }
  }
}
