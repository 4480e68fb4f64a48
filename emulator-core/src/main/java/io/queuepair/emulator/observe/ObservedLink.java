// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
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

  /** Reports before sending, because the bytes belong to the link afterwards. */
  @Override
  public void send(Traffic traffic, @Nullable String note) {
    fabric.sent(address, traffic, note);
    link.send(traffic, note);
    fabric.flushOutOfTurn();
  }

  @Override
  public void annotate(NoteSubject subject, @Nullable Traffic traffic, int at, String note) {
    switch (subject) {
      case STATION -> fabric.annotate(address, note);
      case LOST -> fabric.lost(address, traffic, note);
      case UNUSED -> fabric.dropped(address, (IpTraffic) traffic, at, note);
    }
    link.annotate(subject, traffic, at, note);
    if (subject != NoteSubject.UNUSED) {
      fabric.flushOutOfTurn();
    }
  }

  @Override
  public void close() {
    super.close();
    fabric.detached(address);
  }
}
