// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link that forwards every call: the base of decorators. */
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
  public PacketForm form() {
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
  public long receiveBufferBytes() {
    return link.receiveBufferBytes();
  }

  @Override
  public void ownPayloads() {
    link.ownPayloads();
  }

  @Override
  public void endTurn() {
    link.endTurn();
  }

  @Override
  public boolean isWritable() {
    return link.isWritable();
  }

  @Override
  public boolean hasRoom() {
    return link.hasRoom();
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
  public void annotateDropped(Traffic traffic, String note) {
    link.annotateDropped(traffic, note);
  }

  @Override
  public void handOver(Station station, List<? extends Traffic> traffic, @Nullable String note) {
    link.handOver(station, traffic, note);
  }

  @Override
  public void dropped(IpTraffic traffic, int at, String why) {
    link.dropped(traffic, at, why);
  }

  @Override
  public LostPackets lostPackets() {
    return link.lostPackets();
  }

  @Override
  public ResponderResources responderResources() {
    return link.responderResources();
  }

  @Override
  public void annotate(String note) {
    link.annotate(note);
  }

  @Override
  public boolean reaches(InetAddress address) {
    return link.reaches(address);
  }

  @Override
  public boolean hasRoute(InetAddress source, InetAddress destination) {
    return link.hasRoute(source, destination);
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
  public void ringDoorbell() {
    link.ringDoorbell();
  }

  @Override
  public void close() {
    link.close();
  }
}
