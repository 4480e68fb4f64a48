// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import org.jspecify.annotations.Nullable;

/**
 * A thread that the emulator has started failed: its cause is what the thread threw. Further ones
 * are suppressed exceptions of this one. Without a cause, threads were blocked outside of the
 * emulator in a strict run, or did not end when the emulator was closed.
 */
public final class ApplicationThreadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ApplicationThreadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
