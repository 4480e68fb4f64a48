// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Property of an extended completion queue ({@code enum ibv_create_cq_attr_flags}). */
public enum CreateCqAttrFlag implements VerbsConstant {
  /** One thread at a time uses the queue, so that it needs no lock; another one is refused. */
  SINGLE_THREADED(1 << 0),

  /**
   * The queue does not fail when it overruns: a completion is always written to the next entry, so
   * that the oldest one is lost.
   */
  IGNORE_OVERRUN(1 << 1);

  private final int code;

  CreateCqAttrFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
