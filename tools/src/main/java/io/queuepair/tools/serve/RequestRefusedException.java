// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

/** Thrown to refuse a request; the message is for the client. */
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
