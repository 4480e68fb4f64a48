// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** What is refused becomes an errno; with QUEUEPAIR_EXPLAIN, standard error has its reason. */
final class Refusals {
  /** The verb of what is thrown where the one that was called is not known. */
  static final String UNKNOWN_VERB = "verb";

  /** Stands for one of several verbs, which C names at the beginning of the bytes. */
  static final String NAMED_BY_C = "";

  private static volatile Consumer<String> explanations =
      System.getenv(Variables.EXPLAIN) == null
          ? null
          : reason -> System.err.println("queuepair: " + reason);
  private static final int EIO = 5;

  private Refusals() {}

  /**
   * The negated errno of what a call of C has thrown.
   *
   * @param verb that was called, for the line that explains
   */
  static long resultOf(String verb, Throwable thrown, ByteBuffer args) {
    return verb.equals(NAMED_BY_C)
        ? explainedResultOf(Args.text(args, Args.BYTES), thrown)
        : resultOf(verb, thrown);
  }

  /** The negated errno of what was thrown; the verb stands in for one that is not known. */
  static long resultOf(String verb, Throwable thrown) {
    return thrown instanceof VerbsException refused && !refused.verb().equals(UNKNOWN_VERB)
        ? explainedResultOf(refused.verb(), refused)
        : explainedResultOf(verb, thrown);
  }

  private static long explainedResultOf(String verb, Throwable thrown) {
    if (thrown instanceof VerbsException refused) {
      explain(verb + refused.getMessage().substring(refused.verb().length()));
      return -refused.errno().code();
    }
    if (thrown instanceof NullPointerException || thrown instanceof IllegalArgumentException) {
      explain(verb + ": EINVAL: " + thrown.getMessage());
      return -Errno.EINVAL.code();
    }
    if (thrown instanceof OutOfMemoryError) {
      explain(verb + ": ENOMEM: " + thrown.getMessage());
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
    return explanations != null;
  }

  /** Gives reasons to a test. */
  static void explainTo(Consumer<String> listener) {
    explanations = listener;
  }

  static void explain(String reason) {
    Consumer<String> listener = explanations;
    if (listener != null) {
      listener.accept(reason);
    }
  }
}
