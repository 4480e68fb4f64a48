package io.queuepair.emulator.fabric;

/**
 * What there is to say about a packet.
 *
 * @param note why the device sends it, or null
 * @param fault what was done to it on purpose, or null
 */
record Comment(String note, String fault) {
  /** Both as one text, or null if there is neither. */
  String text() {
    if (note == null || note.equals(fault)) {
      return fault;
    }
    return fault == null ? note : note + "; " + fault;
  }
}
