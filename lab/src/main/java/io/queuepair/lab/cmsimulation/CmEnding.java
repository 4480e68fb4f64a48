// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

/** Ways in which a connection ends, and by which side. */
public enum CmEnding {
  /** The active side disconnects. */
  ACTIVE_DISCONNECTS,
  /** The passive side disconnects. */
  PASSIVE_DISCONNECTS,
  /** Both disconnect, each by its own clock. */
  BOTH_DISCONNECT,
  /** The active side destroys its id while it is connected. */
  ACTIVE_DESTROYS,
  /** The passive side destroys its id while it is connected. */
  PASSIVE_DESTROYS,
  /** The active side destroys its id some time after it has asked, connected or not. */
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
