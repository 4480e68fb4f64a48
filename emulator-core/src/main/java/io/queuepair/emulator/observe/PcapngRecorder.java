// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts packets into the file of a {@link PcapngCapture}. */
final class PcapngRecorder implements PacketObserver {
  private static final Logger LOG = LoggerFactory.getLogger(PcapngRecorder.class);

  /** Room for the largest IP packet after an Ethernet header. */
  private static final int FRAME_BYTES = 1 << 17;

  /** Limit of the remarks on one frame: the length of a pcapng option has 16 bits. */
  private static final int REMARK_CHARACTERS = 2_000;

  private final PcapngWriter writer;
  private final PendingFrames pending = new PendingFrames();
  private final long epochOffsetNanos;
  private final PacketCodec codec = new PacketCodec();
  private final LadderText text = new LadderText();
  private final IpIdSearch search = new IpIdSearch();
  private final ByteBuffer encoded = ByteBuffer.allocate(Link.BURST_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
  private final Consumer<IOException> onEarlyEnd;

  /** Held while frames are written, to keep their order; taken before this monitor. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile boolean hasEnded;

  /** Remarks since the last frame, or null. */
  private @Nullable String remarks;

  /**
   * Creates a recorder.
   *
   * @param onEarlyEnd called if writing fails
   */
  PcapngRecorder(PcapngWriter writer, long epochOffsetNanos, Consumer<IOException> onEarlyEnd) {
    this.writer = writer;
    this.epochOffsetNanos = epochOffsetNanos;
    this.onEarlyEnd = onEarlyEnd;
  }

  /** Logs an early end, for captures without a listener. */
  static void warn(IOException cause) {
    LOG.warn("The capture ends here: its file cannot be written: {}", CaptureInput.reasonOf(cause));
  }

  /** Encodes with IPv4 identification 0, as the first datagram of a burst has on a real link. */
  @Override
  public synchronized void packet(ObservedPacket observed, Packet packet, @Nullable String fault) {
    if (!hasEnded) {
      Payload payload = new Payload(encoded, 0, codec.encode(packet, 0, encoded, 0));
      PacketKey key = observed.hasFateToCome() ? PacketKey.of(packet) : null;
      int length = EthernetFrame.write(packet.route(), 0, payload, frame, 0);
      add(
          observed,
          length,
          key,
          new PacketComment(packet.note(), fault).text(),
          text.messageIn(packet));
    }
  }

  @Override
  public synchronized void datagram(
      ObservedPacket observed,
      Route route,
      int identification,
      Payload payload,
      PacketComment comment) {
    if (!hasEnded) {
      boolean isKnown = identification != UNKNOWN_IDENTIFICATION;
      int shown = isKnown ? identification : search.find(route, payload);
      PacketKey key = observed.hasFateToCome() ? PacketKey.of(route, payload) : null;
      int length = EthernetFrame.write(route, shown, payload, frame, 0);
      add(observed, length, key, comment.text(), text.messageIn(route, payload));
    }
  }

  @Override
  public synchronized void frame(ObservedPacket observed, RawFrame raw, @Nullable String fault) {
    if (!hasEnded) {
      raw.bytes().copyTo(frame, 0);
      add(observed, raw.bytes().length(), null, fault, null);
    }
  }

  private void add(
      ObservedPacket observed,
      int length,
      @Nullable PacketKey keyUnderWay,
      @Nullable String comment,
      @Nullable String message) {
    PendingPacket next =
        new PendingPacket(observed, Arrays.copyOf(frame.array(), length), keyUnderWay);
    next.comment(message);
    next.comment(new PacketComment(remarks, comment).text());
    remarks = null;
    pending.add(next);
  }

  @Override
  public synchronized void arrived(InetAddress host, PacketKey packet, @Nullable String dropped) {
    PendingPacket pendingPacket = pending.arrived(packet);
    if (dropped != null && pendingPacket != null) {
      pendingPacket.comment("dropped by " + host.getHostAddress() + ": " + dropped);
    } else if (dropped != null) {
      addRemark(host, "dropped a packet: " + dropped);
    }
  }

  @Override
  public synchronized void detached(InetAddress host) {
    pending.forget(host);
  }

  /** Keeps the note for the next frame, as it belongs to no frame. */
  @Override
  public synchronized void annotate(long nowNanos, InetAddress host, String note) {
    addRemark(host, note);
  }

  private void addRemark(InetAddress host, String note) {
    if (remarks == null || remarks.length() < REMARK_CHARACTERS) {
      remarks = new PacketComment(remarks, host.getHostAddress() + ": " + note).text();
    }
  }

  @Override
  public void flush(long nowNanos) {
    write(() -> pending.next(nowNanos));
  }

  @Override
  public void close() {
    write(pending::next);
    writing.lock();
    try {
      if (!hasEnded) {
        hasEnded = true;
        writer.close();
      }
    } catch (IOException e) {
      onEarlyEnd.accept(e);
    } finally {
      writing.unlock();
    }
  }

  /** Writes the frames that wait no more, without holding up devices. */
  private void write(Supplier<PendingPacket> packets) {
    writing.lock();
    try {
      PendingPacket next = hasEnded ? null : next(packets);
      while (next != null) {
        writer.add(epochOffsetNanos, next);
        next = next(packets);
        if (next == null) {
          writer.flush();
        }
      }
    } catch (IOException e) {
      end(e);
    } finally {
      writing.unlock();
    }
  }

  private synchronized PendingPacket next(Supplier<PendingPacket> packets) {
    return packets.get();
  }

  /** Ends the capture after a failed write, such as on a full disk; the network continues. */
  private void end(IOException cause) {
    hasEnded = true;
    onEarlyEnd.accept(cause);
    try {
      writer.endEarly();
    } catch (IOException e) {
      LOG.debug("Closing the capture file failed too.", e);
    }
  }
}
