// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.VerbsConstant;

/** Options of {@link RdmaCm#getaddrinfo} ({@code RAI_*}). */
public enum RdmaAddrinfoFlag implements VerbsConstant {
  /** The addresses are for a passive id, which listens. */
  PASSIVE(0x01),

  /** The node is a numeric address: no name is looked up. */
  NUMERICHOST(0x02),

  /** No route is looked up. */
  NOROUTE(0x04),

  /** Only addresses of the family of the hints. */
  FAMILY(0x08),

  /** Names are resolved by the subnet administrator, which RoCE does not have: EOPNOTSUPP. */
  SA(0x10),

  /** Names are resolved by the domain name system, as they are without flags. */
  DNS(0x20);

  private final int code;

  RdmaAddrinfoFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
