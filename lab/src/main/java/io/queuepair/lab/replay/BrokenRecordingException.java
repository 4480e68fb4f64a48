// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

/** A file is no recording; the message says where and why, in one sentence. */
final class BrokenRecordingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenRecordingException(int line, String why) {
    super("line " + line + ": " + why);
  }

  BrokenRecordingException(int line, String why, Throwable cause) {
    super("line " + line + ": " + why, cause);
  }
}
