// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** How advice is taken ({@code enum ib_uverbs_advise_mr_flag}). */
public enum AdviseMrFlag implements VerbsConstant {
  /** The call returns when the advice has been followed. */
  FLUSH(1 << 0);

  private final int code;

  AdviseMrFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
