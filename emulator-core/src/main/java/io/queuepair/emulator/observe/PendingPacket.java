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

  /** Key of its packet as long as its fate is to come; else null. */
  private @Nullable PacketKey keyUnderWay;

  /**
   * A frame.
   *
   * @param keyUnderWay what its packet is known by if its fate is to come, or null
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

  /** Says something about it; nothing if that is null. */
  void comment(@Nullable String comment) {
    if (comment != null) {
      comments.add(comment);
    }
  }

  @Nullable PacketKey keyUnderWay() {
    return keyUnderWay;
  }

  /** Its fate is known, or will not be. */
  void arrived() {
    keyUnderWay = null;
  }
}
