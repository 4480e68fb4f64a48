// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device.driver;

import io.queuepair.emulator.engine.context.LossReport;
import io.queuepair.emulator.fabric.LostPackets;
import java.util.Map;

/** The network's record of lost packets, for the engine. */
public record FabricLossReport(LostPackets lost) implements LossReport {
  @Override
  public long known() {
    return lost.known();
  }

  @Override
  public Map<String, Integer> of(LossFlow flow, long since, int firstPsn, int psns) {
    return lost.of(
        new LostPackets.PacketFlow(
            flow.source(), flow.destination(), flow.destQpn(), flow.isResponse()),
        since,
        firstPsn,
        psns);
  }
}
