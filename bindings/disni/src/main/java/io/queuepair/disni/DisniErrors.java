// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refusals as DiSNI reports them: an {@link IOException}, or of what destroys an errno. */
final class DisniErrors {
  private static final Logger LOG = LoggerFactory.getLogger(DisniErrors.class);

  private DisniErrors() {}

  /**
   * Calls a verb.
   *
   * @param name DiSNI's name of the call
   * @throws IOException with DiSNI's text and the reason, if the verb is refused
   */
  static <T> T call(String name, Supplier<T> call) throws IOException {
    try {
      return call.get();
    } catch (VerbsException refused) {
      throw new IOException("j2c::" + name + ": " + refused.getMessage(), refused);
    }
  }

  /** Calls a verb that gives nothing back. */
  static void run(String name, Runnable action) throws IOException {
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
  static int end(String name, Runnable action) {
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
