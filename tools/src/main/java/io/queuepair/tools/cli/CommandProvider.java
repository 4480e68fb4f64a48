// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.util.List;

/** Commands of another module, found by {@link java.util.ServiceLoader}. */
@FunctionalInterface
public interface CommandProvider {
  /**
   * Returns the commands, in the order of the help: classes with {@code @Command} of picocli and a
   * constructor without parameters.
   */
  List<Class<?>> commands();
}
