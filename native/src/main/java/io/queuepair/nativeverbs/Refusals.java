// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.function.LongSupplier;

/**
 * Where calls of C end: nothing is thrown past it. What is refused becomes an errno; with
 * QUEUEPAIR_EXPLAIN, standard error has its reason.
 */
final class Refusals {
  private static final boolean EXPLAINS = System.getenv(Variables.EXPLAIN) != null;
  private static final int EIO = 5;

  private Refusals() {}

  /** Does what a call asks for: its result, or a negated errno. */
  static long guard(LongSupplier call) {
    try {
      return call.getAsLong();
    } catch (Throwable refused) { // Also an Error: the program must not die of one.
      return resultOf(refused);
    }
  }

  /** The negated errno of what was thrown. */
  static long resultOf(Throwable thrown) {
    if (thrown instanceof VerbsException refused) {
      explain(refused.getMessage());
      return -refused.errno().code();
    }
    if (thrown instanceof NullPointerException || thrown instanceof IllegalArgumentException) {
      explain("EINVAL: " + thrown.getMessage());
      return -Errno.EINVAL.code();
    }
    if (thrown instanceof OutOfMemoryError) {
      explain("ENOMEM: " + thrown.getMessage());
      return -Errno.ENOMEM.code();
    }
    System.err.println("queuepair: EIO, which is a bug: " + thrown);
    thrown.printStackTrace();
    return -EIO;
  }

  /** Why work failed, in words. */
  static String reasonOf(Cqe completion) {
    return "work request "
        + completion.wrId()
        + " of queue pair "
        + completion.qpNum()
        + ": "
        + completion.status()
        + ": "
        + completion.explanation();
  }

  /** Whether reasons are wanted. */
  static boolean areExplained() {
    return EXPLAINS;
  }

  static void explain(String reason) {
    if (EXPLAINS) {
      System.err.println("queuepair: " + reason);
    }
  }
}
