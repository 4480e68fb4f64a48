package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;

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
  public void send(Traffic traffic, String note) {
    fabric.sent(address, traffic, note);
    link.send(traffic, note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void report(Traffic traffic, String note) {
    fabric.lost(address, traffic, note);
    link.report(traffic, note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void handOver(Station station, List<? extends Traffic> traffic, String note) {
    Arrival arrival = fabric.handedOver(address, traffic, note);
    try {
      link.handOver(station, traffic, note);
    } finally {
      fabric.arrived(arrival);
    }
  }

  @Override
  public void dropped(RoutedTraffic traffic, int at, String why) {
    fabric.dropped(address, traffic, at, why);
    link.dropped(traffic, at, why);
  }

  @Override
  public void remark(String note) {
    fabric.remark(address, note);
    link.remark(note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void close() {
    super.close();
    fabric.detached(address);
  }
}
