// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

/** A request is refused; the message is for its sender. */
final class RequestRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Refuses a request.
   *
   * @param status of HTTP
   * @param message one sentence
   */
  RequestRefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
