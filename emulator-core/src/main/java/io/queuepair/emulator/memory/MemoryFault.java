// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

/** Why an access to registered memory is refused. */
public enum MemoryFault {
  UNKNOWN_KEY("the key names no registered memory"),
  OTHER_DOMAIN("the memory belongs to another protection domain"),
  OUT_OF_RANGE("the range is not inside the registered memory"),
  MISSING_RIGHT("the memory was registered without the right that is needed"),
  WINDOW_KEY("the key is that of a memory window, which is for peers only"),
  /** The window was not bound yet, or was invalidated. */
  WINDOW_NOT_BOUND("the memory window is not bound"),
  /** The window is of type 2, and was bound through another queue pair. */
  OTHER_QUEUE_PAIR("the memory window was bound through another queue pair"),
  WINDOW_LACKS_RIGHT("the memory window was bound without the right that is needed"),
  OUTSIDE_WINDOW("the range is not inside the memory window");

  private final String text;

  MemoryFault(String text) {
    this.text = text;
  }

  /** One clause for messages. */
  public String text() {
    return text;
  }
}
