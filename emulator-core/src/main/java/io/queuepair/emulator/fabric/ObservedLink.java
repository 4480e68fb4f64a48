package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** A link of an {@link ObservedFabric}. */
final class ObservedLink extends ForwardingLink {
  private final ObservedFabric fabric;
  private final InetAddress address;

  ObservedLink(ObservedFabric fabric, InetAddress address, Link link) {
    super(link);
    this.fabric = fabric;
    this.address = address;
  }

  /** Looks before sending, because the bytes belong to the link afterwards. */
  @Override
  public void send(Traffic traffic) {
    fabric.sent(traffic);
    super.send(traffic);
    fabric.flushOutOfTurn();
  }

  @Override
  public void close() {
    super.close();
    fabric.detached(address);
  }
}
