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

/** A fabric that hashes every packet sent, and shows each before its fate and when it arrives. */
public abstract class WatchedFabric extends ForwardingFabric {
  private final TraceHash trace;

  protected WatchedFabric(Fabric fabric, TraceHash trace) {
    super(fabric);
    this.trace = trace;
  }

  /** Looks at a packet before it meets its fate. */
  protected abstract void sent(DatagramBurst burst, long nowNanos);

  /** Looks at a packet that arrives, before the device does. */
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

  /** A station whose arrivals are looked at. */
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
