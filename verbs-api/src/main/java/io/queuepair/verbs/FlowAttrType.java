// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Types of flows ({@code enum ibv_flow_attr_type}). */
public enum FlowAttrType implements VerbsConstant {
  /** Frames to this device, or to a group of stations, that its specifications match. */
  NORMAL(0),

  /** Frames that no other flow takes, whatever their destination; the port becomes promiscuous. */
  ALL_DEFAULT(1),

  /** Multicast frames that no flow of type NORMAL takes. */
  MC_DEFAULT(2),

  /** A copy of everything that passes the port, sent or received, RoCE packets among it. */
  SNIFFER(3);

  private final int code;

  FlowAttrType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
