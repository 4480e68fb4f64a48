// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.Optional;

/** How a service ID was resolved, by the code in a SIDR_REP ({@code IB_SIDR_*}). */
public enum SidrStatus {
  SUCCESS("success"),
  UNSUPPORTED("unsupported"),
  REJECT("rejected"),
  NO_QP("no QP"),
  REDIRECT("redirect"),
  UNSUPPORTED_VERSION("unsupported version");

  private final String text;

  SidrStatus(String text) {
    this.text = text;
  }

  public int code() {
    return ordinal();
  }

  /** A few words for people. */
  public String text() {
    return text;
  }

  /** The status of a code; empty for a code without a meaning. */
  public static Optional<SidrStatus> ofCode(int code) {
    return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
  }

  /** A code in words, with or without a meaning. */
  public static String textOf(int code) {
    return ofCode(code).map(SidrStatus::text).orElse("unknown") + " (" + code + ")";
  }
}
