// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Link that forwards every call; base class of decorators. */
public class ForwardingLink implements Link {
  private final Link link;

  /**
   * Creates a link that forwards to another.
   *
   * @param link delegate of all calls
   */
  protected ForwardingLink(Link link) {
    this.link = link;
  }

  @Override
  public int maxSegments() {
    return link.maxSegments();
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
  public void send(Traffic traffic, @Nullable String note) {
    link.send(traffic, note);
  }

  @Override
  public void annotate(NoteSubject subject, @Nullable Traffic traffic, int at, String note) {
    link.annotate(subject, traffic, at, note);
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
