// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** The user at the terminal, if there is one. */
final class Terminal {
  private Terminal() {}

  /** Waits for Enter at a terminal; true at once elsewhere, false if the answer is q. */
  @SuppressWarnings("SystemConsoleNull") // isTerminal() asks what null meant before JDK 22.
  static boolean waitForEnter() {
    Console console = System.console();
    if (console == null || !isTerminal(console)) {
      return true;
    }
    String answer = console.readLine("-- Enter continues, q and Enter ends -- ");
    return answer != null && !answer.strip().equals("q");
  }

  /** From JDK 22 on there is a console also where there is no terminal, and a method that tells. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException older) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException impossible) {
      throw new IllegalStateException("isTerminal is public and throws nothing", impossible);
    }
  }
}
