// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Transport of a device ({@code enum ibv_transport_type}). */
public enum TransportType implements VerbsConstant {
  /** Unknown. */
  UNKNOWN(-1),

  /** InfiniBand transport, RoCE included. */
  IB(0),

  /** iWARP. */
  IWARP(1),

  /** usNIC. */
  USNIC(2),

  /** usNIC over UDP. */
  USNIC_UDP(3),

  /** Unspecified. */
  UNSPECIFIED(4);

  private final int code;

  TransportType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
