// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.fabric.LostPackets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The network's record of lost packets, for the engine. */
record FabricLossReport(LostPackets lost) implements LossReport {
  @Override
  public long known() {
    return lost.known();
  }

  @Override
  public Map<String, Integer> of(LossFlow flow, long since, int firstPsn, int psns) {
    return lost.of(packetFlow(flow), since, firstPsn, psns);
  }

  @Override
  public void refused(LossFlow flow, int psn, String reason) {
    lost.addRefusal(packetFlow(flow), psn, reason);
  }

  @Override
  public @Nullable String refusalOf(LossFlow flow, long since, int psn) {
    return lost.refusalOf(packetFlow(flow), since, psn);
  }

  private static LostPackets.PacketFlow packetFlow(LossFlow flow) {
    return new LostPackets.PacketFlow(
        flow.source(), flow.destination(), flow.destQpn(), flow.isResponse());
  }
}
