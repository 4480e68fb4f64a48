// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * State of a verbs object: whether it exists, how many objects use it, and what the program has
 * attached to it. The driver's lock guards it; {@link #check}, {@link #hasEnded} and the attached
 * object may be used by any thread.
 */
public final class ObjectLifecycle {
  private final String what;
  private int users;

  /** Written under the lock, once; read also by verbs that check before they take the lock. */
  private volatile boolean ended;

  private volatile @Nullable Object userContext;

  /**
   * Begins the life of an object.
   *
   * @param what the kind of object, for messages
   */
  public ObjectLifecycle(String what) {
    this.what = what;
  }

  public String what() {
    return what;
  }

  public @Nullable Object userContext() {
    return userContext;
  }

  public void setUserContext(@Nullable Object newUserContext) {
    userContext = newUserContext;
  }

  public void addUser() {
    users++;
  }

  public void removeUser() {
    assert users > 0;
    users--;
  }

  public boolean hasEnded() {
    return ended;
  }

  public void check(String verb) {
    if (ended) {
      throw new VerbsException(Errno.EINVAL, verb, "the " + what + " was destroyed");
    }
  }

  /** Refuses to end an object that others use, with EBUSY. */
  public void checkUnused(String verb) {
    if (!ended && users > 0) {
      throw new VerbsException(
          Errno.EBUSY, verb, "the " + what + " is used by " + users + " other object(s)");
    }
  }

  /**
   * Ends the object, unless others use it.
   *
   * @return false if it had ended before
   */
  public boolean end(String verb) {
    checkUnused(verb);
    return endAnyway();
  }

  /**
   * Ends the object, even if it is in use.
   *
   * @return false if it had ended before
   */
  public boolean endAnyway() {
    boolean endsNow = !ended;
    ended = true;
    return endsNow;
  }
}
