// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Converts exceptions of calls to errnos; with QUEUEPAIR_EXPLAIN, prints their reasons. */
final class Refusals {
  /** Verb of an exception that was thrown where the called verb is not known. */
  static final String UNKNOWN_VERB = "verb";

  /** Verb of an entry that serves several verbs; C names the verb at the start of the bytes. */
  static final String NAMED_BY_C = "";

  private static volatile Consumer<String> explanations =
      System.getenv(Variables.EXPLAIN) == null
          ? null
          : reason -> System.err.println("queuepair: " + reason);

  private Refusals() {}

  /**
   * Negated errno of an exception of a call of C. Nothing is explained if C names no verb: it has
   * closed a descriptor, whose end the service may have seen before the call.
   *
   * @param verb called verb, for the explanation
   */
  static long resultOf(String verb, Throwable thrown, ByteBuffer args) {
    if (!verb.equals(NAMED_BY_C)) {
      return resultOf(verb, thrown);
    }
    String named = Args.text(args, Args.BYTES);
    return named.isEmpty() && thrown instanceof VerbsException ended
        ? -ended.errno().code()
        : explainedResultOf(named, thrown);
  }

  /** Negated errno of an exception; {@code verb} is explained in place of an unknown one. */
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
    return -Kernel.EIO;
  }

  /** Reason of a failed completion, in words. */
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

  static boolean areExplained() {
    return explanations != null;
  }

  /** Sets the receiver of reasons. */
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
