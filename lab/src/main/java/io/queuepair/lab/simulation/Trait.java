// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Special properties of a connection. */
public enum Trait {
  /** Receives come from shared receive queues; reliable connections only. */
  SHARED_RECEIVES,
  /** The odd queue pair stays in RTR until it is resumed; not with UD. */
  STAYS_IN_RTR
}
