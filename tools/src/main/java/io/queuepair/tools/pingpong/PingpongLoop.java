package io.queuepair.tools.pingpong;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.WorkCompletion;
import java.util.Optional;

/** The exchange itself: each side sends when its last send is done and an answer has come. */
final class PingpongLoop {
  /** Polls in vain before the thread sleeps: about the time of a round trip on one host. */
  private static final int SPINS = 500;

  private final Emulator emulator;
  private final Endpoint endpoint;
  private final PingpongOptions options;
  private final WorkCompletion[] completions = new WorkCompletion[2];
  private int sent;
  private int received;
  private int postedReceives;
  private boolean awaitsSend;
  private boolean awaitsReceive = true;
  private int events;

  /**
   * Prepares the exchange.
   *
   * @param endpoint one with all its receives posted
   */
  PingpongLoop(Emulator emulator, Endpoint endpoint, PingpongOptions options) {
    this.emulator = emulator;
    this.endpoint = endpoint;
    this.options = options;
    postedReceives = options.rxDepth;
  }

  /** The first ball, which the client plays. */
  void serve() {
    endpoint.postSend();
    awaitsSend = true;
  }

  /**
   * Plays to the end.
   *
   * @return the completion in error that ended it early, if one did
   */
  Optional<WorkCompletion> play() {
    Optional<WorkCompletion> failed = Optional.empty();
    while (failed.isEmpty() && (received < options.iterations || sent < options.iterations)) {
      failed = options.usesEvents ? takeAfterEvent() : takeByPolling();
    }
    if (options.usesEvents) {
      endpoint.cq().ackEvents(events);
    }
    return failed;
  }

  private Optional<WorkCompletion> takeAfterEvent() {
    CompletionQueue announced = endpoint.channel().getCqEvent();
    events++;
    announced.reqNotify(false);
    return take(announced.poll(completions));
  }

  private Optional<WorkCompletion> takeByPolling() {
    for (int spin = 0; spin < SPINS; spin++) {
      int count = endpoint.cq().poll(completions);
      if (count > 0) {
        return take(count);
      }
      Thread.onSpinWait();
    }
    completions[0] = emulator.await(endpoint.cq());
    return take(1);
  }

  private Optional<WorkCompletion> take(int count) {
    for (int i = 0; i < count; i++) {
      if (!completions[i].isSuccess()) {
        return Optional.of(completions[i]);
      }
      advance(completions[i]);
    }
    return Optional.empty();
  }

  private void advance(WorkCompletion completion) {
    if (completion.wrId() == Endpoint.SEND_WR_ID) {
      sent++;
      awaitsSend = false;
    } else {
      received++;
      awaitsReceive = false;
      postedReceives--;
      if (postedReceives <= 1) {
        endpoint.postReceives(options.rxDepth - postedReceives);
        postedReceives = options.rxDepth;
      }
    }
    if (sent < options.iterations && !awaitsSend && !awaitsReceive) {
      endpoint.postSend();
      awaitsSend = true;
      awaitsReceive = true;
    }
  }
}
