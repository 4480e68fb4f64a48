package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.CreditCode;

/**
 * End-to-end flow control of a requester: the receives that its peer has for messages that are not
 * acknowledged yet. One message more may be under way, so that a requester never stops for good:
 * its answer brings new credits, or it is refused and comes again. (InfiniBand specification,
 * end-to-end message level flow control.)
 */
final class CreditLimit {
  private final boolean isHonoured;

  /** Whether the peer has said how many receives it has. */
  private boolean isLimited;

  /** How many it had for messages after those acknowledged. */
  private int receives;

  /** Messages that take a receive, have started and are not acknowledged. */
  private int underWay;

  CreditLimit(boolean isHonoured) {
    this.isHonoured = isHonoured;
  }

  void start() {
    isLimited = false;
    underWay = 0;
  }

  /** Takes the credits of an ACK, after the messages that it acknowledges were retired. */
  void granted(Aeth ack) {
    int code = ack.creditCode();
    isLimited = isHonoured && code != CreditCode.UNLIMITED;
    receives = isLimited ? CreditCode.receiveWqes(code) : 0;
  }

  boolean allows(SendWqe next) {
    return !next.takesReceive() || !isLimited || underWay <= receives;
  }

  void started(SendWqe wqe) {
    underWay += wqe.takesReceive() ? 1 : 0;
  }

  void retired(SendWqe wqe) {
    underWay -= wqe.takesReceive() ? 1 : 0;
  }
}
