// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;

/** Both ways in which packets cross the network in memory. */
public enum LinkForm {
  OBJECTS,
  WIRE_EXACT;

  /** A network in virtual time that only moves on request. */
  public InMemoryFabric fabric() {
    return InMemoryFabric.create(
        InMemoryOptions.virtualTime().withWireExact(this == WIRE_EXACT).withPollRunsEvents(false));
  }
}
