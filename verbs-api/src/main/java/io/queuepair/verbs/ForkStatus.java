// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Whether memory is safe when the process forks ({@code enum ibv_fork_status}). */
public enum ForkStatus implements VerbsConstant {
  /** It is not, and {@link Verbs#forkInit} was not called. */
  DISABLED(0),

  /** It is, since {@link Verbs#forkInit} was called. */
  ENABLED(1),

  /** It is, without anything done. */
  UNNEEDED(2);

  private final int code;

  ForkStatus(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
