// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.lang.StackWalker.StackFrame;
import java.util.List;

/** Line of the application that called a verb. */
public final class CallSite {
  private static final StackWalker STACK = StackWalker.getInstance();

  private static final List<String> OWN_PACKAGES =
      List.of("io.queuepair.emulator.", "io.queuepair.verbs.", "io.queuepair.udp.");

  private final StackFrame frame;

  private CallSite(StackFrame frame) {
    this.frame = frame;
  }

  /** Line that called the current verb: the topmost stack frame outside of this library. */
  public static CallSite ofCaller() {
    return new CallSite(
        STACK.walk(
            frames ->
                frames.filter(frame -> !isOwn(frame.getClassName())).findFirst().orElse(null)));
  }

  private static boolean isOwn(String className) {
    return OWN_PACKAGES.stream().anyMatch(className::startsWith);
  }

  @Override
  public String toString() {
    return frame == null ? "by the device itself" : "at " + frame;
  }
}
