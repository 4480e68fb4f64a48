// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Peculiarities of a connection. */
public enum Trait {
  /** Its receives come from shared receive queues; of a reliable connection. */
  SHARED_RECEIVES,
  /** Its odd queue pair stays in RTR until it is resumed; not of datagrams. */
  STAYS_IN_RTR
}
