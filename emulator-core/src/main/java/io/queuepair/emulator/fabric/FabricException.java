package io.queuepair.emulator.fabric;

/** The network cannot do what was asked; the message is one sentence for a person to read. */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the refusal.
   *
   * @param message the fact, naming the culprit
   * @param cause what the system said, or null
   */
  public FabricException(String message, Throwable cause) {
    super(message, cause);
  }
}
