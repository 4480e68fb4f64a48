// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Link layer of a port. */
public enum LinkLayer implements VerbsConstant {
  /** Unspecified; historically InfiniBand. */
  UNSPECIFIED(0),

  /** InfiniBand. */
  INFINIBAND(1),

  /** Ethernet: RoCE. */
  ETHERNET(2);

  private final int code;

  LinkLayer(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
