// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the errors of one call, mostly of {@code ibv_modify_qp}, into one sentence. The errno is
 * that of the first one: errors are added in the order in which Linux checks.
 */
final class ErrorCollector {
  private final String verb;

  /** Transition asked for, for example {@code RTR -> RTS (RC)}; empty if there is none. */
  private final Supplier<String> transition;

  private final List<String> objections = new ArrayList<>();
  private String predicate = "";
  private @Nullable Errno errno;

  ErrorCollector(String verb, Supplier<String> transition) {
    this.verb = verb;
    this.transition = transition;
  }

  void add(Errno newErrno, String objection) {
    raise(newErrno);
    objections.add(objection);
  }

  void add(String objection) {
    add(Errno.EINVAL, objection);
  }

  void objectToTransition() {
    raise(Errno.EINVAL);
    predicate = " is not a transition that can be asked for";
  }

  /** Adds an error about the mask, unless both sets are empty. */
  void objectToMask(Set<QpAttrMask> missingMask, Set<QpAttrMask> forbiddenMask) {
    if (missingMask.isEmpty() && forbiddenMask.isEmpty()) {
      return;
    }
    raise(Errno.EINVAL);
    String needs = missingMask.isEmpty() ? "" : " needs " + names(missingMask);
    String and = missingMask.isEmpty() || forbiddenMask.isEmpty() ? "" : " and";
    String forbids = forbiddenMask.isEmpty() ? "" : " does not allow " + names(forbiddenMask);
    predicate = needs + and + forbids;
  }

  private void raise(Errno newErrno) {
    if (errno == null) {
      errno = newErrno;
    }
  }

  void throwIfAny() {
    if (errno == null) {
      return;
    }
    String subject = transition.get() + predicate;
    String separator = predicate.isEmpty() ? ": " : "; ";
    boolean needsSeparator = !objections.isEmpty() && !subject.isEmpty();
    throw new VerbsException(
        errno, verb, subject + (needsSeparator ? separator : "") + String.join("; ", objections));
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
