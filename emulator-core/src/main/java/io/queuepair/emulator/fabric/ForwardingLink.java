package io.queuepair.emulator.fabric;

import java.nio.ByteBuffer;

/** A link that passes everything on to another: where decorators of {@link Fabric} begin. */
public class ForwardingLink implements Link {
  private final Link link;

  /**
   * Wraps a link.
   *
   * @param link what everything is passed on to
   */
  protected ForwardingLink(Link link) {
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

  @Override
  public void send(Traffic traffic) {
    link.send(traffic);
  }

  @Override
  public void ring() {
    link.ring();
  }

  @Override
  public void close() {
    link.close();
  }
}
