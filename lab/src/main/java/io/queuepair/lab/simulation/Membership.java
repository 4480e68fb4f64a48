// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** In which partitions the two queue pairs of a connection are, and how. */
public enum Membership {
  /** Both full members of the default partition. */
  DEFAULT(0, 0),
  /** A full member and a limited one. */
  FULL_AND_LIMITED(1, 2),
  /** A limited member and a full one. */
  LIMITED_AND_FULL(2, 1),
  /** Two limited members, which do not hear each other. */
  LIMITED(2, 2),
  /** Two partitions. */
  APART(0, 1);

  /** The partition key tables of both devices. */
  static final int[] PKEYS = {0xffff, 0x8001, 0x0001};

  private final int even;
  private final int odd;

  Membership(int even, int odd) {
    this.even = even;
    this.odd = odd;
  }

  /** Index of the key in the table of a queue pair of the connection, 0 or 1. */
  int index(int side) {
    return side == 0 ? even : odd;
  }

  /** Whether what the queue pairs send reaches the other one. */
  boolean isConnected() {
    return this != LIMITED && this != APART;
  }
}
