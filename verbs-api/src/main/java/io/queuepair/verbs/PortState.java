// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Logical state of a port ({@code enum ibv_port_state}). */
public enum PortState implements VerbsConstant {
  /** No state change. */
  NOP(0, "no state change (NOP)"),

  /** Down. */
  DOWN(1, "down"),

  /** Initialising. */
  INIT(2, "init"),

  /** Armed. */
  ARMED(3, "armed"),

  /** Active. */
  ACTIVE(4, "active"),

  /** Active, deferred. */
  ACTIVE_DEFER(5, "active defer");

  private final int code;
  private final String text;

  PortState(int code, String text) {
    this.code = code;
    this.text = text;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return the text of {@code ibv_port_state_str}} */
  @Verb("ibv_port_state_str")
  public String text() {
    return text;
  }
}
