// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

/** Thrown if a file is not a valid recording; the message names the line and the reason. */
final class BrokenRecordingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenRecordingException(int line, String why) {
    super("line " + line + ": " + why);
  }

  BrokenRecordingException(int line, String why, Throwable cause) {
    super("line " + line + ": " + why, cause);
  }
}
