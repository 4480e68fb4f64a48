// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A field of a frame that takes part in its hash ({@code enum ibv_rx_hash_fields}). */
public enum RxHashField implements VerbsConstant {
  /** Source address of IPv4. */
  SRC_IPV4(1 << 0),

  /** Destination address of IPv4. */
  DST_IPV4(1 << 1),

  /** Source address of IPv6. */
  SRC_IPV6(1 << 2),

  /** Destination address of IPv6. */
  DST_IPV6(1 << 3),

  /** Source port of TCP. */
  SRC_PORT_TCP(1 << 4),

  /** Destination port of TCP. */
  DST_PORT_TCP(1 << 5),

  /** Source port of UDP. */
  SRC_PORT_UDP(1 << 6),

  /** Destination port of UDP. */
  DST_PORT_UDP(1 << 7),

  /** Security parameters index of IPsec. */
  IPSEC_SPI(1 << 8),

  /** The fields are those of the packet inside a tunnel. */
  INNER(1 << 31);

  private final int code;

  RxHashField(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
