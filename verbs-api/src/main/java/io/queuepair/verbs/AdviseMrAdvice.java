// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Announced use of memory ({@code enum ib_uverbs_advise_mr_advice}). */
public enum AdviseMrAdvice implements VerbsConstant {
  /** It is going to be read. */
  PREFETCH(0),

  /** It is going to be written. */
  PREFETCH_WRITE(1),

  /** It is going to be read; pages that are not present are left alone. */
  PREFETCH_NO_FAULT(2);

  private final int code;

  AdviseMrAdvice(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
