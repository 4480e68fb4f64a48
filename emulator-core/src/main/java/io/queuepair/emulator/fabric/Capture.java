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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts packets into the file of a {@link PcapngCapture}. */
final class Capture implements PacketObserver {
  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  /** Holds the largest IP packet behind an Ethernet header. */
  private static final int FRAME_BYTES = 1 << 17;

  private final PcapngFile file;
  private final long epochOffsetNanos;
  private final PacketCodec codec = new PacketCodec();
  private final IdentificationSearch search = new IdentificationSearch();
  private final ByteBuffer encoded = ByteBuffer.allocate(Link.BURST_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
  private boolean hasEnded;

  /** What happened since the last frame, or null. */
  private String remarks;

  Capture(PcapngFile file, long epochOffsetNanos) {
    this.file = file;
    this.epochOffsetNanos = epochOffsetNanos;
  }

  /** Encodes with identification 0, which every first segment of a real link has. */
  @Override
  public synchronized void packet(long nowNanos, Packet packet, String fault) {
    if (!hasEnded) {
      int length = codec.encode(packet, 0, encoded, 0);
      Payload datagram = new Payload(encoded, 0, length);
      int bytes = EthernetFrame.write(packet.route(), 0, datagram, frame, 0);
      add(nowNanos, bytes, joined(packet.note(), fault));
    }
  }

  @Override
  public synchronized void datagram(
      long nowNanos, Route route, int identification, Payload datagram, String fault) {
    if (!hasEnded) {
      boolean isKnown = identification != UNKNOWN_IDENTIFICATION;
      int shown = isKnown ? identification : search.find(route, datagram);
      add(nowNanos, EthernetFrame.write(route, shown, datagram, frame, 0), fault);
    }
  }

  @Override
  public synchronized void frame(long nowNanos, RawFrame raw, String fault) {
    if (!hasEnded) {
      raw.bytes().copyTo(frame, 0);
      add(nowNanos, raw.bytes().length(), fault);
    }
  }

  private static String joined(String note, String fault) {
    if (note == null || note.equals(fault)) {
      return fault;
    }
    return fault == null ? note : note + "; " + fault;
  }

  /** There is no frame to say it of: the next one says it. */
  @Override
  public synchronized void remark(long nowNanos, InetAddress host, String note) {
    remarks = joined(remarks, host.getHostAddress() + ": " + note);
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
    if (hasEnded) {
      return;
    }
    try {
      hasEnded = true;
      file.close();
    } catch (IOException e) {
      LOG.warn("The end of the capture file could not be written: {}", e.toString());
    }
  }

  private void add(long nowNanos, int length, String comment) {
    try {
      file.add(epochOffsetNanos + nowNanos, frame.array(), length, joined(remarks, comment));
      remarks = null;
    } catch (IOException e) {
      end(e);
    }
  }

  /** The network must not suffer from a full disk. */
  private void end(IOException cause) {
    hasEnded = true;
    LOG.warn("The capture ends here: its file cannot be written: {}", cause.toString());
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("Closing the capture file failed too.", e);
    }
  }
}
