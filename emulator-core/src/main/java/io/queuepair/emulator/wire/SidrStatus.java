// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.Optional;

/** Results of a service ID resolution, by the code in a SIDR_REP ({@code IB_SIDR_*}). */
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

  /** Status in a few words for the user. */
  public String text() {
    return text;
  }

  /** Status of a code; empty for a reserved code. */
  public static Optional<SidrStatus> ofCode(int code) {
    return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
  }

  /** Text of a code, also of a reserved one. */
  public static String textOf(int code) {
    return ofCode(code).map(SidrStatus::text).orElse("unknown") + " (" + code + ")";
  }
}
