// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A frame that is to be written to a capture file. */
final class PendingPacket {
  private final PacketObserver.ObservedPacket observed;
  private final byte[] bytes;
  private final List<String> comments = new ArrayList<>(1);

  /** Key of its packet until that has arrived; null if the frame does not wait for that. */
  private @Nullable PacketKey keyUnderWay;

  /**
   * Creates a frame.
   *
   * @param keyUnderWay key of its packet, to wait until that has arrived; or null
   */
  PendingPacket(
      PacketObserver.ObservedPacket observed, byte[] bytes, @Nullable PacketKey keyUnderWay) {
    this.observed = observed;
    this.bytes = bytes;
    this.keyUnderWay = keyUnderWay;
  }

  PacketObserver.ObservedPacket observed() {
    return observed;
  }

  byte[] bytes() {
    return bytes;
  }

  List<String> comments() {
    return comments;
  }

  /** Adds a comment, unless that is null. */
  void comment(@Nullable String comment) {
    if (comment != null) {
      comments.add(comment);
    }
  }

  @Nullable PacketKey keyUnderWay() {
    return keyUnderWay;
  }

  /** Ends the wait: the packet has arrived, or will not. */
  void arrived() {
    keyUnderWay = null;
  }
}
