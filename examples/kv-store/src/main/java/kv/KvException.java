// SPDX-License-Identifier: Apache-2.0
package kv;

/** A request to the store has failed. */
public final class KvException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KvException(String message) {
    super(message);
  }
}
