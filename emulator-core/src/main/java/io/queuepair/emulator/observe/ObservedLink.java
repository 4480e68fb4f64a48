// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link of an {@link ObservedFabric}. */
final class ObservedLink extends ForwardingLink {
  private final ObservedFabric fabric;
  private final InetAddress address;
  private final Link link;

  ObservedLink(ObservedFabric fabric, InetAddress address, Link link) {
    super(link);
    this.fabric = fabric;
    this.address = address;
    this.link = link;
  }

  /** Looks before sending, because the bytes belong to the link afterwards. */
  @Override
  public void send(Traffic traffic) {
    fabric.sent(address, traffic, null);
    link.send(traffic);
    fabric.flushOutOfTurn();
  }

  @Override
  public void send(Traffic traffic, @Nullable String note) {
    fabric.sent(address, traffic, note);
    link.send(traffic, note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void annotateDropped(Traffic traffic, @Nullable String note) {
    fabric.lost(address, traffic, note);
    link.annotateDropped(traffic, note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void handOver(Station station, List<? extends Traffic> traffic, @Nullable String note) {
    Arrival arrival = fabric.handedOver(address, traffic, note);
    try {
      link.handOver(station, traffic, note);
    } finally {
      fabric.arrived(arrival);
    }
  }

  @Override
  public void dropped(IpTraffic traffic, int at, String why) {
    fabric.dropped(address, traffic, at, why);
    link.dropped(traffic, at, why);
  }

  @Override
  public void annotate(String note) {
    fabric.annotate(address, note);
    link.annotate(note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void close() {
    super.close();
    fabric.detached(address);
  }
}
