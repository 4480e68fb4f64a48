package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts packets into the file of a {@link PcapngCapture}. */
final class Capture implements PacketObserver {
  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  /** Holds the largest IP packet behind an Ethernet header. */
  private static final int FRAME_BYTES = 1 << 17;

  /** Nobody reads more at one frame, and a comment has a limit in the file. */
  private static final int REMARK_CHARACTERS = 2_000;

  private final PcapngFile file;
  private final RecentFrames recent = new RecentFrames();
  private final long epochOffsetNanos;
  private final PacketCodec codec = new PacketCodec();
  private final IdentificationSearch search = new IdentificationSearch();
  private final ByteBuffer encoded = ByteBuffer.allocate(Link.BURST_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
  private final Consumer<IOException> onEarlyEnd;
  private boolean hasEnded;

  /** What happened since the last frame, or null. */
  private String remarks;

  /**
   * Creates it.
   *
   * @param onEarlyEnd told if writing fails
   */
  Capture(PcapngFile file, long epochOffsetNanos, Consumer<IOException> onEarlyEnd) {
    this.file = file;
    this.epochOffsetNanos = epochOffsetNanos;
    this.onEarlyEnd = onEarlyEnd;
  }

  /** What there is to do about an early end if nobody wants to know. */
  static void warn(IOException cause) {
    LOG.warn("The capture ends here: its file cannot be written: {}", cause.toString());
  }

  /** Encodes with identification 0, which every first segment of a real link has. */
  @Override
  public synchronized void packet(long nowNanos, Packet packet, String fault) {
    if (!hasEnded) {
      add(nowNanos, packet.route(), 0, encoded(packet), new Comment(packet.note(), fault).text());
    }
  }

  private Payload encoded(Packet packet) {
    return new Payload(encoded, 0, codec.encode(packet, 0, encoded, 0));
  }

  @Override
  public synchronized void datagram(
      long nowNanos, Route route, int identification, Payload datagram, Comment comment) {
    if (!hasEnded) {
      boolean isKnown = identification != UNKNOWN_IDENTIFICATION;
      int shown = isKnown ? identification : search.find(route, datagram);
      add(nowNanos, route, shown, datagram, comment.text());
    }
  }

  @Override
  public synchronized void frame(long nowNanos, RawFrame raw, String fault) {
    if (!hasEnded) {
      raw.bytes().copyTo(frame, 0);
      add(nowNanos, raw.bytes().length(), fault);
    }
  }

  @Override
  public synchronized void dropped(long nowNanos, InetAddress host, Packet packet, String why) {
    dropped(nowNanos, host, packet.route(), encoded(packet), why);
  }

  /** Said of the frame itself, which has been written before it arrived. */
  @Override
  public synchronized void dropped(
      long nowNanos, InetAddress host, Route route, Payload datagram, String why) {
    if (hasEnded) {
      return;
    }
    long offset = recent.decided(route, datagram);
    try {
      String comment = "dropped by " + host.getHostAddress() + ": " + why;
      int grown = offset < 0 ? 0 : file.comment(offset, comment);
      if (grown > 0) {
        recent.grew(offset, grown);
      } else {
        remark(nowNanos, host, "dropped a packet: " + why);
      }
    } catch (IOException e) {
      end(e);
    }
  }

  /** There is no frame to say it of: the next one says it. */
  @Override
  public synchronized void remark(long nowNanos, InetAddress host, String note) {
    if (remarks == null || remarks.length() < REMARK_CHARACTERS) {
      remarks = new Comment(remarks, host.getHostAddress() + ": " + note).text();
    }
  }

  @Override
  public synchronized void flush() {
    if (hasEnded) {
      return;
    }
    try {
      file.flush();
    } catch (IOException e) {
      end(e);
    }
  }

  @Override
  public synchronized void close() {
    flush();
    if (hasEnded) {
      return;
    }
    try {
      hasEnded = true;
      file.close();
    } catch (IOException e) {
      onEarlyEnd.accept(e);
    }
  }

  private void add(
      long nowNanos, Route route, int identification, Payload datagram, String comment) {
    int length = EthernetFrame.write(route, identification, datagram, frame, 0);
    recent.add(route, datagram, add(nowNanos, length, comment));
  }

  /** Writes the frame at hand; where it begins in the file. */
  private long add(long nowNanos, int length, String comment) {
    try {
      String comments = new Comment(remarks, comment).text();
      remarks = null;
      return file.add(epochOffsetNanos + nowNanos, frame.array(), length, comments);
    } catch (IOException e) {
      end(e);
      return 0;
    }
  }

  /** The network must not suffer from a full disk. */
  private void end(IOException cause) {
    hasEnded = true;
    onEarlyEnd.accept(cause);
    try {
      file.endEarly();
    } catch (IOException e) {
      LOG.debug("Closing the capture file failed too.", e);
    }
  }
}
