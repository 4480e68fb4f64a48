// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

/** A request is refused; the message is for its sender. */
final class RequestRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RequestRefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
