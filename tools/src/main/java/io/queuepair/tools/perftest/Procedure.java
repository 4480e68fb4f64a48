package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import java.util.List;

/**
 * The order of things: what is said over TCP and when messages flow, as perftest 4.5 does it. It
 * differs by operation and metric; both sides keep to it, so neither has to ask.
 */
final class Procedure {
  private final Conversation conversation;
  private final Settings settings;
  private final Traffic traffic;
  private final Report report;
  private Destination own;

  Procedure(Conversation conversation, Settings settings, Traffic traffic, Report report) {
    this.conversation = conversation;
    this.settings = settings;
    this.traffic = traffic;
    this.report = report;
  }

  /** Does all of it. */
  void follow() {
    Agreement agreement = conversation.agree(Agreement.proposal(traffic.mtu()));
    List<Integer> sizes = settings.sizes(agreement.mtu());
    meetPeers(agreement);
    if (settings.isLatency()) {
      measureLatency(sizes);
    } else if (settings.operation() == Operation.SEND) {
      measureSends(sizes);
    } else if (settings.isBidirectional()) {
      measureBothWays(sizes);
    } else {
      measureOneWay(sizes);
    }
    report.end();
    if (settings.benchmark() != Benchmark.WRITE_LAT) {
      conversation.close(own);
    }
  }

  /** Each side tells its addresses before and after it has connected. */
  private void meetPeers(Agreement agreement) {
    List<Destination> locals = traffic.open(agreement);
    own = locals.get(0);
    report.begin(agreement, locals);
    List<Destination> peers = conversation.exchange(locals);
    traffic.connect(peers);
    if (settings.benchmark() == Benchmark.SEND_BW) {
      conversation.meet(own);
      confirm(locals, peers);
    } else {
      confirm(locals, peers);
      conversation.meet(own);
    }
    report.peers(peers);
  }

  private void confirm(List<Destination> locals, List<Destination> peers) {
    if (!conversation.exchange(locals).equals(peers)) {
      throw new CommandFailure(
          "The peer has another number of queue pairs than "
              + locals.size()
              + "; give both the same -q");
    }
  }

  private void measureLatency(List<Integer> sizes) {
    if (settings.operation() == Operation.SEND) {
      for (int size : sizes) {
        traffic.prepare(size);
        conversation.meet(own);
        report.add(traffic.run(size));
      }
      return;
    }
    conversation.meet(own);
    if (settings.isSending()) {
      sizes.forEach(size -> report.add(traffic.run(size)));
    }
  }

  /** Both sides see each message, so each measures by itself; bidirectional ones add up. */
  private void measureSends(List<Integer> sizes) {
    for (int size : sizes) {
      traffic.prepare(size);
      conversation.meet(own);
      BandwidthResult result = (BandwidthResult) traffic.run(size);
      boolean addsUp = settings.isBidirectional() && !settings.isTimed();
      report.add(addsUp ? result.plus(conversation.exchange(result)) : result);
      meetAfterEachSize();
    }
  }

  private void measureBothWays(List<Integer> sizes) {
    for (int size : sizes) {
      conversation.meet(own);
      BandwidthResult result = (BandwidthResult) traffic.run(size);
      meetAfterEachSize();
      report.add(result.plus(conversation.exchange(result)));
    }
  }

  /** Only the client sees anything; it tells the server of its last size. */
  private void measureOneWay(List<Integer> sizes) {
    if (settings.isServer()) {
      conversation.meet(own);
      report.add(conversation.exchange(BandwidthResult.NONE));
      return;
    }
    BandwidthResult last = BandwidthResult.NONE;
    for (int size : sizes) {
      last = (BandwidthResult) traffic.run(size);
      report.add(last);
    }
    conversation.meet(own);
    conversation.tell(last);
  }

  private void meetAfterEachSize() {
    if (settings.options().allSizes) {
      conversation.meet(own);
    }
  }
}
