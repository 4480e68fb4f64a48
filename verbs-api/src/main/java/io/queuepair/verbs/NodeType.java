// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Kind of node ({@code enum ibv_node_type}). */
public enum NodeType implements VerbsConstant {
  /** Unknown. */
  UNKNOWN(-1, ""),

  /** InfiniBand or RoCE channel adapter. */
  CA(1, "InfiniBand channel adapter"),

  /** InfiniBand switch. */
  SWITCH(2, "InfiniBand switch"),

  /** InfiniBand router. */
  ROUTER(3, "InfiniBand router"),

  /** iWARP NIC. */
  RNIC(4, "iWARP NIC"),

  /** usNIC. */
  USNIC(5, "usNIC"),

  /** usNIC over UDP. */
  USNIC_UDP(6, "usNIC UDP"),

  /** Unspecified. */
  UNSPECIFIED(7, "unspecified");

  private final int code;
  private final String text;

  NodeType(int code, String text) {
    this.code = code;
    this.text = text;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return the text of {@code ibv_node_type_str}} */
  @Verb("ibv_node_type_str")
  public String text() {
    return text;
  }
}
