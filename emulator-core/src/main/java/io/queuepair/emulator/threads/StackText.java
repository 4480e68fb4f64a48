// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Text of the stack of a thread, reduced to frames of the application. */
final class StackText {
  private static final int MAX_FRAMES = 6;

  private StackText() {}

  /** The innermost frames that are neither of the emulator nor of the JDK, one in each line. */
  static String of(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(frame -> frame.getLineNumber() > 0 && !isInside(frame.getClassName()))
        .limit(MAX_FRAMES)
        .map(StackText::line)
        .collect(Collectors.joining());
  }

  private static String line(StackTraceElement frame) {
    String place = frame.getFileName() + ":" + frame.getLineNumber();
    return "\n      at " + frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
  }

  private static boolean isInside(String className) {
    return className.startsWith("io.queuepair.emulator.")
        || className.startsWith("java.")
        || className.startsWith("jdk.");
  }
}
