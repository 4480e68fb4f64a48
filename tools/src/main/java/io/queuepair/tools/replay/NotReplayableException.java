package io.queuepair.tools.replay;

/** A scenario uses what the emulator or its API does not have; the message says what. */
final class NotReplayableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotReplayableException(String reason) {
    super(reason);
  }
}
