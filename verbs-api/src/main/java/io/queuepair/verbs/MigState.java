// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Path migration state ({@code enum ibv_mig_state}). */
public enum MigState implements VerbsConstant {
  /** The path has migrated, or migration is not in use. */
  MIGRATED(0),

  /** Migration is being prepared. */
  REARM(1),

  /** Migration may happen at any time. */
  ARMED(2);

  private final int code;

  MigState(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
