package io.queuepair.emulator.memory;

/** Why an access to registered memory is refused. */
public enum MemoryFault {
  /** No region has the key, or no longer. */
  UNKNOWN_KEY("the key names no registered memory"),
  /** The region belongs to another protection domain than the queue pair. */
  OTHER_DOMAIN("the memory belongs to another protection domain"),
  /** Some byte lies before the first or after the last of the region. */
  OUT_OF_RANGE("the range is not inside the registered memory"),
  /** The region was registered without the right that is needed. */
  MISSING_RIGHT("the memory was registered without the right that is needed");

  private final String text;

  MemoryFault(String text) {
    this.text = text;
  }

  /** One clause for messages. */
  public String text() {
    return text;
  }
}
