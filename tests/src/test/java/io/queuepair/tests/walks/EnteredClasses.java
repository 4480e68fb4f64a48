// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.walks;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The classes entered while something is done, in the order of their first entry. A nested class
 * counts as the one that it is nested in. {@link TracingLoader} puts the calls of {@link #enter}.
 */
public final class EnteredClasses {
  private static final StackWalker CALLERS =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private static final Set<Class<?>> ENTERED = new LinkedHashSet<>();
  private static boolean isRecording;

  private EnteredClasses() {}

  /** Starts to record, with no class entered. */
  public static void start() {
    ENTERED.clear();
    isRecording = true;
  }

  /** Returns the classes entered since {@link #start}. */
  public static Set<Class<?>> stop() {
    isRecording = false;
    return new LinkedHashSet<>(ENTERED);
  }

  /** Called at the start of the traced methods. */
  public static void enter() {
    if (isRecording) {
      Class<?> entered = CALLERS.getCallerClass();
      while (entered.getEnclosingClass() != null) {
        entered = entered.getEnclosingClass();
      }
      ENTERED.add(entered);
    }
  }
}
