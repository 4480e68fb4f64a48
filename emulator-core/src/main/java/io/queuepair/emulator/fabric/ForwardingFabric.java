// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fabric that forwards every call; base class of decorators, as {@link ForwardingLink} is for
 * links. Closing it closes the delegate.
 */
public class ForwardingFabric implements Fabric {
  private final Fabric fabric;

  /**
   * Creates a fabric that forwards to another.
   *
   * @param fabric delegate of all calls
   */
  protected ForwardingFabric(Fabric fabric) {
    this.fabric = fabric;
  }

  /**
   * Fabric that is decorated.
   *
   * @return delegate of all calls
   */
  protected final Fabric inner() {
    return fabric;
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  @Override
  public PacketForm form() {
    return fabric.form();
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return fabric.attach(address, station);
  }

  @Override
  public int mtuBytes(InetAddress own) {
    return fabric.mtuBytes(own);
  }

  @Override
  public int sourcePort() {
    return fabric.sourcePort();
  }

  @Override
  public long receiveBufferBytes(InetAddress own) {
    return fabric.receiveBufferBytes(own);
  }

  @Override
  public long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return fabric.receiveBufferBytes(own, peer);
  }

  @Override
  public boolean reaches(InetAddress address) {
    return fabric.reaches(address);
  }

  @Override
  public boolean hasRoute(InetAddress source, InetAddress destination) {
    return fabric.hasRoute(source, destination);
  }

  @Override
  public boolean hasSegment() {
    return fabric.hasSegment();
  }

  @Override
  public void joinSegment(InetAddress own) {
    fabric.joinSegment(own);
  }

  @Override
  public void handOver(
      InetAddress host, Station station, List<? extends Traffic> traffic, @Nullable String note) {
    fabric.handOver(host, station, traffic, note);
  }

  @Override
  public LostPackets lostPackets() {
    return fabric.lostPackets();
  }

  @Override
  public ResponderResources responderResources() {
    return fabric.responderResources();
  }

  @Override
  public void close() {
    fabric.close();
  }
}
