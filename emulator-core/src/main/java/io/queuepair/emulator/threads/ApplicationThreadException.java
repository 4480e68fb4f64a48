// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import org.jspecify.annotations.Nullable;

/**
 * Signals that a thread which the emulator has started has failed; the cause is what the thread
 * threw. Failures of further threads are suppressed exceptions of this one. Without a cause, a
 * thread was blocked outside the emulator in a strict run, or did not end when the emulator was
 * closed.
 */
public final class ApplicationThreadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ApplicationThreadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
