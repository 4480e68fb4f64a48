package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link of an {@link ObservedFabric}. */
final class ObservedLink implements Link {
  private final ObservedFabric fabric;
  private final InetAddress address;
  private final Link link;

  ObservedLink(ObservedFabric fabric, InetAddress address, Link link) {
    this.fabric = fabric;
    this.address = address;
    this.link = link;
  }

  @Override
  public Form form() {
    return link.form();
  }

  @Override
  public int mtuBytes() {
    return link.mtuBytes();
  }

  @Override
  public boolean reaches(InetAddress peer) {
    return link.reaches(peer);
  }

  @Override
  public int sourcePort() {
    return link.sourcePort();
  }

  @Override
  public int maxSegments() {
    return link.maxSegments();
  }

  @Override
  public boolean isWritable() {
    return link.isWritable();
  }

  @Override
  public ByteBuffer borrow() {
    return link.borrow();
  }

  /** Looks before sending, because the bytes belong to the link afterwards. */
  @Override
  public void send(Traffic traffic) {
    fabric.sent(traffic);
    link.send(traffic);
    fabric.flushOutOfTurn();
  }

  @Override
  public boolean hasSegment() {
    return link.hasSegment();
  }

  @Override
  public void joinSegment() {
    link.joinSegment();
  }

  @Override
  public void join(InetAddress group) {
    link.join(group);
  }

  @Override
  public void leave(InetAddress group) {
    link.leave(group);
  }

  @Override
  public void ring() {
    link.ring();
  }

  @Override
  public void close() {
    link.close();
    fabric.detached(address);
  }
}
