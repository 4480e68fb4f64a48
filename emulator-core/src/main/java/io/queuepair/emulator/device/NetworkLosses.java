package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.fabric.LostPackets;
import java.util.Map;

/** What a network knows of lost packets, as the engine asks for it. */
record NetworkLosses(LostPackets lost) implements LossReport {
  @Override
  public long known() {
    return lost.known();
  }

  @Override
  public Map<String, Integer> of(Flow flow, long since, int firstPsn, int psns) {
    return lost.of(
        new LostPackets.Flow(flow.source(), flow.destination(), flow.destQpn(), flow.isResponse()),
        since,
        firstPsn,
        psns);
  }
}
