// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refusals as DiSNI reports them: an {@link IOException}, or of what destroys an errno. */
final class DisniErrors {
  private static final Logger LOG = LoggerFactory.getLogger(DisniErrors.class);

  private DisniErrors() {}

  /** A call of a verb. */
  interface Call<T> {
    T run();
  }

  /** A call of a verb that gives nothing back. */
  interface Action {
    void run();
  }

  /**
   * Calls a verb.
   *
   * @param name DiSNI's name of the call
   * @throws IOException with DiSNI's text and the reason, if the verb is refused
   */
  static <T> T call(String name, Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (VerbsException refused) {
      throw new IOException("j2c::" + name + ": " + refused.getMessage(), refused);
    }
  }

  /** Calls a verb that gives nothing back. */
  static void run(String name, Action action) throws IOException {
    call(
        name,
        () -> {
          action.run();
          return null;
        });
  }

  /**
   * Ends something. DiSNI looks at no answer, and destroys channels before their queues.
   *
   * @return 0, or the errno of the refusal
   */
  static int end(String name, Action action) {
    try {
      action.run();
      return 0;
    } catch (VerbsException refused) {
      LOG.debug("{} was refused: {}", name, refused.getMessage());
      return refused.errno().code();
    }
  }

  /**
   * Looks whether an object is still there.
   *
   * @throws IOException if it was destroyed
   */
  static void requireOpen(boolean isOpen, String call, String object) throws IOException {
    if (!isOpen) {
      throw new IOException("j2c::" + call + ": the " + object + " is closed");
    }
  }
}
