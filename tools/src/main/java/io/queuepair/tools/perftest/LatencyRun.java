// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.MemoryRegion;
import java.lang.invoke.VarHandle;

/**
 * One message at a time. WRITE and SEND go back and forth: each side sends when the last one of the
 * peer has come. A WRITE is seen by its last byte, the number of the message. READs are answered by
 * the device of the peer.
 */
final class LatencyRun {
  private final PerftestContext endpoint;
  private final PerftestSettings settings;
  private final int size;
  private final ProgressLine progress;
  private final QpChannel lane;
  private final CompletionPoller sends;
  private final CompletionPoller receives;
  private final LatencyRecorder recorder;
  private long sent;
  private long received;
  private long counted;
  private long lastPostNanos;
  private long startNanos;
  private SampleWindow window;

  LatencyRun(PerftestContext endpoint, PerftestSettings settings, int size, ProgressLine progress) {
    this.endpoint = endpoint;
    this.settings = settings;
    this.size = size;
    this.progress = progress;
    lane = endpoint.lanes().get(0);
    sends = new CompletionPoller(endpoint.sendCq(), "send");
    receives = new CompletionPoller(endpoint.recvCq(), "receive");
    recorder = new LatencyRecorder(settings.ways());
  }

  /** Runs to the end. */
  LatencyResult run() {
    start(System.nanoTime());
    while (!isDone()) {
      if (hasTurns() && wants(received) && !(sent == 0 && isFirst())) {
        awaitMessage();
      }
      if (wants(sent) && !isOver()) {
        send();
      }
    }
    return result();
  }

  private void start(long nowNanos) {
    startNanos = nowNanos;
    if (settings.isTimed()) {
      window = SampleWindow.starting(nowNanos, settings);
    }
  }

  private boolean hasTurns() {
    return settings.ways() > 1;
  }

  /** Of SENDs the client sends the first, of WRITEs the server does. */
  private boolean isFirst() {
    return settings.isServer() == (settings.operation() == PerftestOperation.WRITE);
  }

  private boolean wants(long done) {
    return settings.isTimed() || done < settings.iterations();
  }

  private boolean isDone() {
    return settings.isTimed() ? isOver() : !wants(sent) && !(hasTurns() && wants(received));
  }

  private boolean isOver() {
    return window != null && window.isOver(System.nanoTime());
  }

  private void awaitMessage() {
    CompletionWait wait = endpoint.completionWait();
    while (!hasMessageCome()) {
      if (isOver()) {
        return;
      }
      wait.pause("sent " + sent + ", received " + received + " of " + settings.iterations());
    }
    received++;
  }

  private boolean hasMessageCome() {
    return settings.operation() == PerftestOperation.WRITE ? hasByteCome() : hasReceiveCompleted();
  }

  /** The device writes to the memory from another thread. */
  private boolean hasByteCome() {
    VarHandle.acquireFence();
    return lane.incoming().buffer().get(size - 1) == (byte) (received + 1);
  }

  private boolean hasReceiveCompleted() {
    // One message is under way at most, so there is never more than one.
    if (receives.poll() == 0) {
      return false;
    }
    if (settings.isTimed() || received + settings.rxDepth() < settings.iterations()) {
      lane.postReceives(size, 1);
    }
    return true;
  }

  private void send() {
    long nowNanos = System.nanoTime();
    if (sent > 0 && counts(nowNanos)) {
      recorder.add(nowNanos - lastPostNanos);
    }
    lastPostNanos = nowNanos;
    sent++;
    if (settings.operation() == PerftestOperation.WRITE) {
      MemoryRegion outgoing = lane.outgoing();
      outgoing.buffer().put(size - 1, (byte) sent);
    }
    lane.qp().postSend(lane.request(settings, size, sent));
    awaitCompletion();
  }

  private void awaitCompletion() {
    CompletionWait wait = endpoint.completionWait();
    while (sends.poll() == 0) {
      if (isOver()) {
        return;
      }
      wait.pause("send " + sent + " is not completed");
    }
    long nowNanos = System.nanoTime();
    counted += counts(nowNanos) ? 1 : 0;
    progress.show(counted, nowNanos - startNanos);
  }

  private boolean counts(long nowNanos) {
    return window == null || window.counts(nowNanos);
  }

  private LatencyResult result() {
    if (window == null) {
      return recorder.result(size, settings.iterations());
    }
    progress.show(counted, settings.duration().toNanos());
    return recorder.timed(size, counted, window.nanos());
  }
}
