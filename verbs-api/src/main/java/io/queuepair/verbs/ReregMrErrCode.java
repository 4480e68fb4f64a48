// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** How a reregistration failed ({@code enum ibv_rereg_mr_err_code}). */
public enum ReregMrErrCode implements VerbsConstant {
  /** The library refused an argument; the region is what it was. */
  INPUT(-1),

  /** The new memory could not be kept from forked processes; the region is what it was. */
  DONT_FORK_NEW(-2),

  /** The old memory could not be given back to forked processes; the region has changed. */
  DO_FORK_OLD(-3),

  /** The device refused; an application must not count on the region any more. */
  CMD(-4),

  /** The device refused, and the new memory could not be given back to forked processes. */
  CMD_AND_DO_FORK_NEW(-5);

  private final int code;

  ReregMrErrCode(int code) {
    this.code = code;
  }

  /** {@return the C value, which is negative and no flag} */
  @Override
  public int code() {
    return code;
  }
}
