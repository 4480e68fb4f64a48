// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

/** Ways in which a connection ends, with the side that ends it. */
public enum CmEnding {
  ACTIVE_DISCONNECTS,
  PASSIVE_DISCONNECTS,
  /** Both sides disconnect, each after its own delay. */
  BOTH_DISCONNECT,
  /** The active side destroys its connected id. */
  ACTIVE_DESTROYS,
  /** The passive side destroys its connected id. */
  PASSIVE_DESTROYS,
  /** The active side destroys its id some time after its request, connected or not. */
  ACTIVE_GIVES_UP;

  boolean isByActive() {
    return this != PASSIVE_DISCONNECTS && this != PASSIVE_DESTROYS;
  }

  boolean isByPassive() {
    return this == PASSIVE_DISCONNECTS || this == PASSIVE_DESTROYS || this == BOTH_DISCONNECT;
  }

  boolean destroys() {
    return this == ACTIVE_DESTROYS || this == PASSIVE_DESTROYS || this == ACTIVE_GIVES_UP;
  }
}
