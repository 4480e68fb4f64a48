// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Keeps all queue pairs of one side busy with messages of one size, sending, receiving or both,
 * until enough have come through or the time is over.
 */
final class BandwidthRun {
  private final PerftestContext endpoint;
  private final PerftestSettings settings;
  private final int size;
  private final ProgressLine progress;
  private final CompletionPoller sends;
  private final CompletionPoller receives;
  private final long[] posted;
  private final long[] completed;
  private final long[] received;
  private final PeakMeter peak = new PeakMeter();
  private final long wanted;
  private long totalPosted;
  private long totalCompleted;
  private long totalReceived;
  private long counted;
  private long startNanos;
  private long endNanos;
  private boolean hasStarted;
  private SampleWindow window;

  BandwidthRun(
      PerftestContext endpoint, PerftestSettings settings, int size, ProgressLine progress) {
    this.endpoint = endpoint;
    this.settings = settings;
    this.size = size;
    this.progress = progress;
    int lanes = endpoint.lanes().size();
    posted = new long[lanes];
    completed = new long[lanes];
    received = new long[lanes];
    sends = new CompletionPoller(endpoint.sendCq(), "send");
    receives = new CompletionPoller(endpoint.recvCq(), "receive");
    wanted = (long) lanes * settings.iterations();
  }

  /** Runs to the end. A server that receives begins with what it receives. */
  BandwidthResult run() {
    CompletionWait wait = endpoint.completionWait();
    if (!(settings.isServer() && settings.isReceiving())) {
      start(System.nanoTime());
    }
    while (!isDone()) {
      boolean moved = settings.isSending() && hasStarted && post();
      moved |= settings.isSending() && takeSends();
      moved |= settings.isReceiving() && takeReceives();
      if (moved) {
        wait.renew();
      } else {
        wait.pause("sent " + totalCompleted + ", received " + totalReceived + " of " + wanted);
      }
    }
    return result();
  }

  private void start(long nowNanos) {
    hasStarted = true;
    startNanos = nowNanos;
    endNanos = nowNanos;
    if (settings.isTimed()) {
      window = SampleWindow.starting(nowNanos, settings);
    }
  }

  private boolean isDone() {
    if (settings.isTimed()) {
      return hasStarted && window.isOver(System.nanoTime());
    }
    return (!settings.isSending() || totalCompleted == wanted)
        && (!settings.isReceiving() || totalReceived == wanted);
  }

  private boolean post() {
    boolean moved = false;
    for (int lane = 0; lane < posted.length; lane++) {
      while (room(lane) > 0) {
        post(lane, room(lane));
        moved = true;
      }
    }
    return moved;
  }

  /** How many messages to post at once, all or none: the list, or those that share a completion. */
  private int room(int lane) {
    long chunk = settings.postList();
    if (!settings.isTimed()) {
      chunk = Math.min(chunk, settings.iterations() - posted[lane]);
    }
    return posted[lane] - completed[lane] + chunk <= settings.txDepth() ? (int) chunk : 0;
  }

  private void post(int lane, int count) {
    peak.post(totalPosted, System.nanoTime());
    QpChannel channel = endpoint.lanes().get(lane);
    List<SendWr> chunk = new ArrayList<>(count);
    for (int first = 0; first < count; first += settings.cqModeration()) {
      int last = Math.min(first + settings.cqModeration(), count);
      SendWr signaled = channel.request(settings, size, posted[lane] + last);
      chunk.addAll(Collections.nCopies(last - first - 1, QpChannel.unsignaled(signaled)));
      chunk.add(signaled);
    }
    channel.qp().postSend(chunk);
    posted[lane] += count;
    totalPosted += count;
  }

  private boolean takeSends() {
    int count = sends.poll();
    if (count == 0) {
      return false;
    }
    long nowNanos = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int lane = QpChannel.indexOf(sends.wrId(i));
      long done = QpChannel.countOf(sends.wrId(i)) - completed[lane];
      completed[lane] += done;
      totalCompleted += done;
      count(done, nowNanos);
    }
    peak.complete(totalCompleted, nowNanos);
    return true;
  }

  private boolean takeReceives() {
    int count = receives.poll();
    if (count == 0) {
      return false;
    }
    long nowNanos = System.nanoTime();
    if (!hasStarted) {
      start(nowNanos);
    }
    int[] taken = new int[received.length];
    for (int i = 0; i < count; i++) {
      taken[QpChannel.indexOf(receives.wrId(i))]++;
    }
    for (int lane = 0; lane < taken.length; lane++) {
      takeReceives(lane, taken[lane]);
    }
    count(count, nowNanos);
    return true;
  }

  /** Posts as many again, as far as messages are still to come that have no receive yet. */
  private void takeReceives(int lane, int count) {
    long again = settings.isTimed() ? count : Math.min(count, missing(lane));
    if (again > 0) {
      endpoint.lanes().get(lane).postReceives(size, (int) again);
    }
    received[lane] += count;
    totalReceived += count;
  }

  /** Messages that have no receive yet: of the queue pair, or of all that share a queue. */
  private long missing(int lane) {
    return settings.sharesReceives()
        ? wanted - totalReceived - settings.rxDepth()
        : settings.iterations() - received[lane] - settings.rxDepth();
  }

  private void count(long messages, long nowNanos) {
    endNanos = nowNanos;
    if (window == null || window.counts(nowNanos)) {
      counted += messages;
    }
    progress.show(counted, nowNanos - startNanos);
  }

  private BandwidthResult result() {
    if (settings.isTimed()) {
      progress.show(counted, settings.duration().toNanos());
      return BandwidthResult.of(size, counted, window.nanos(), 0);
    }
    double best = settings.isSending() ? peak.perSecond() : 0;
    return BandwidthResult.of(size, wanted, endNanos - startNanos, best);
  }
}
