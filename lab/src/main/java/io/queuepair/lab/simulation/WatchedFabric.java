// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.lab.shard.TraceHash;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;

/** Fabric that hashes packets sent, and shows subclasses each before faults and on arrival. */
public abstract class WatchedFabric extends ForwardingFabric {
  private final TraceHash trace;

  protected WatchedFabric(Fabric fabric, TraceHash trace) {
    super(fabric);
    this.trace = trace;
  }

  /** Called for each packet sent, before faults apply. */
  protected abstract void sent(DatagramBurst burst, long nowNanos);

  /** Called for each packet that arrives, before the device receives it. */
  protected abstract void arrived(DatagramBurst burst, long nowNanos);

  @Override
  public final Link attach(InetAddress address, Station station) {
    return new ForwardingLink(super.attach(address, new WatchedStation(station))) {
      @Override
      public void send(Traffic traffic, String note) {
        DatagramBurst burst = (DatagramBurst) traffic;
        long nowNanos = scheduler().nowNanos();
        trace.packet(nowNanos, burst.bytes());
        sent(burst, nowNanos);
        super.send(traffic, note);
      }
    };
  }

  /** Station that calls {@link #arrived} for each packet. */
  private final class WatchedStation implements Station {
    private final Station station;

    private WatchedStation(Station station) {
      this.station = station;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      traffic.forEach(one -> arrived((DatagramBurst) one, scheduler().nowNanos()));
      station.receive(traffic);
    }

    @Override
    public void transmit() {
      station.transmit();
    }

    @Override
    public OptionalInt requesterOf(InetAddress responder, int destQpn) {
      return station.requesterOf(responder, destQpn);
    }
  }
}
