package io.queuepair.tools.scenario;

/** A statement cannot be understood; whoever runs it knows where it stands. */
final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StatementException(String message) {
    super(message);
  }
}
