// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Encodes packets into buffers of a link. Consecutive packets of one length share a buffer. */
public final class BurstEncoder {
  private final Link link;
  private final PacketCodec codec = new PacketCodec();

  private @Nullable ByteBuffer buffer;

  private @Nullable Route route;

  /** Annotation of each packet of the burst, or null. */
  private @Nullable String note;

  private int segmentBytes;
  private int segments;

  /**
   * Burst sent last, or null. It is sent again if all but the bytes in its buffer is the same, or a
   * single datagram is shorter than its datagrams.
   */
  private @Nullable DatagramBurst last;

  /**
   * Creates an encoder without packets.
   *
   * @param link link that lends the buffers and takes the bursts
   */
  public BurstEncoder(Link link) {
    this.link = link;
  }

  /**
   * Whether all packets were sent.
   *
   * @return false while a burst is being filled
   */
  public boolean isEmpty() {
    return buffer == null;
  }

  /**
   * Encodes a packet. If it does not fit into the burst, the burst is sent first.
   *
   * @param packet packet that is not used after the call; its type is not exported
   */
  public void add(Packet packet) {
    int bytes = PacketCodec.encodedBytes(packet);
    if (buffer != null && !(fits(packet, bytes) && Objects.equals(packet.note(), note))) {
      flush();
    }
    if (buffer == null) {
      buffer = link.borrow();
      route = packet.route();
      note = packet.note();
      segmentBytes = bytes;
      segments = 0;
    }
    int start = segments * segmentBytes;
    buffer.limit(start + bytes);
    codec.encode(packet, segments, buffer, start);
    segments++;
    if (bytes < segmentBytes || segments == link.maxSegments()) {
      flush();
    }
  }

  private boolean fits(Packet packet, int bytes) {
    return packet.route().equals(route)
        && bytes <= segmentBytes
        && segments * segmentBytes + bytes <= Link.BURST_BYTES;
  }

  /** Sends the burst that is being filled. */
  public void flush() {
    if (buffer == null) {
      return;
    }
    ByteBuffer full = buffer;
    buffer = null;
    if (last == null || !isLikeLast(full)) {
      last =
          new DatagramBurst(
              route.source(), route.sourcePort(), route.destination(), full, segmentBytes, note);
    }
    link.send(last, null);
  }

  @SuppressWarnings("ReferenceEquality") // A link lends the buffer of the last burst again.
  private boolean isLikeLast(ByteBuffer full) {
    return last.bytes() == full
        && (last.segmentBytes() == segmentBytes
            || (segments == 1 && segmentBytes < last.segmentBytes()))
        && last.sourcePort() == route.sourcePort()
        && last.destination().equals(route.destination())
        && last.source().equals(route.source())
        && Objects.equals(last.note(), note);
  }
}
