package io.queuepair.emulator.device;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/**
 * Whether a verbs object still exists, and how many others need it. Guarded by the driver's lock,
 * except for {@link #check} and {@link #hasEnded}, which any thread may call.
 */
final class Lifetime {
  private final String what;
  private int users;

  /** Written under the lock, once; read by verbs that look before they take the lock. */
  private volatile boolean ended;

  /**
   * Begins.
   *
   * @param what the kind of object, for messages
   */
  Lifetime(String what) {
    this.what = what;
  }

  /** The kind of object, for messages. */
  String what() {
    return what;
  }

  void addUser() {
    users++;
  }

  void removeUser() {
    assert users > 0;
    users--;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Refuses a verb on an object that was destroyed. */
  void check(String verb) {
    if (ended) {
      throw new VerbsException(Errno.EINVAL, verb, "the " + what + " was destroyed");
    }
  }

  /** Refuses to end what others need. */
  void checkUnused(String verb) {
    if (!ended && users > 0) {
      throw new VerbsException(
          Errno.EBUSY, verb, "the " + what + " is used by " + users + " other object(s)");
    }
  }

  /**
   * Ends, unless others need the object.
   *
   * @return false if it had ended before
   */
  boolean end(String verb) {
    checkUnused(verb);
    return endAnyway();
  }

  /**
   * Ends, whoever uses the object.
   *
   * @return false if it had ended before
   */
  boolean endAnyway() {
    boolean endsNow = !ended;
    ended = true;
    return endsNow;
  }
}
