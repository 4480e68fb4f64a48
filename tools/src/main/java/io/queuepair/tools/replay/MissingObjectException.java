package io.queuepair.tools.replay;

/** A call names an object that the recorded device had and the emulated one does not. */
final class MissingObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingObjectException(String name) {
    super("no object " + name);
  }
}
