// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Partition keys of the two queue pairs of a connection. */
public enum Membership {
  /** Two full members of the default partition. */
  DEFAULT(0, 0),
  /** A full member and a limited one. */
  FULL_AND_LIMITED(1, 2),
  /** A limited member and a full one. */
  LIMITED_AND_FULL(2, 1),
  /** Two limited members, which do not accept each other's packets. */
  LIMITED(2, 2),
  /** Members of two different partitions. */
  APART(0, 1);

  /** Partition key table of both devices. */
  static final int[] PKEYS = {0xffff, 0x8001, 0x0001};

  private final int even;
  private final int odd;

  Membership(int even, int odd) {
    this.even = even;
    this.odd = odd;
  }

  /** Index in the partition key table for queue pair 0 or 1 of the connection. */
  int index(int side) {
    return side == 0 ? even : odd;
  }

  /** Whether the queue pairs accept each other's packets. */
  boolean isConnected() {
    return this != LIMITED && this != APART;
  }
}
