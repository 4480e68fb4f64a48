package io.queuepair.tests.interop;

import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks a capture of tcpdump (pcap, Ethernet): the ICRC of every RoCEv2 packet, computed over the
 * very headers that were captured. Prints {@code packets=N icrc_ok=N icrc_bad=N}; exits 0 if there
 * are packets and all are right.
 */
final class CaptureCheck {
  private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
  private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int ICRC_BYTES = 4;
  private static final int DONT_FRAGMENT = 0x4000;

  /** A BTH. */
  private static final int SHORTEST_BYTES = 12;

  private final Icrc icrc = new Icrc();
  private int right;
  private int wrong;

  private CaptureCheck() {}

  /** Checks one file. */
  public static void main(String[] args) throws IOException {
    System.exit(new CaptureCheck().check(Path.of(args[0])) ? 0 : 1);
  }

  private boolean check(Path file) throws IOException {
    ByteBuffer capture = ByteBuffer.wrap(Files.readAllBytes(file));
    capture.order(ByteOrder.LITTLE_ENDIAN);
    int magic = capture.getInt(0);
    if (magic != MAGIC_MICROSECONDS && magic != MAGIC_NANOSECONDS) {
      throw new IOException(file + " is no pcap file of this machine");
    }
    ByteBuffer frames = capture.duplicate().order(ByteOrder.BIG_ENDIAN);
    int at = FILE_HEADER_BYTES;
    while (at + RECORD_HEADER_BYTES <= capture.limit()) {
      int captured = capture.getInt(at + 8);
      at += RECORD_HEADER_BYTES;
      EthernetFrame.parse(frames, at, captured).ifPresent(this::check);
      at += captured;
    }
    System.out.printf("packets=%d icrc_ok=%d icrc_bad=%d%n", right + wrong, right, wrong);
    return right > 0 && wrong == 0;
  }

  private void check(EthernetFrame frame) {
    Payload datagram = frame.datagram();
    int covered = datagram.length() - ICRC_BYTES;
    if (covered >= SHORTEST_BYTES && isCovered(frame, covered)) {
      right++;
    } else {
      wrong++;
      System.out.println("bad: " + frame);
    }
  }

  private boolean isCovered(EthernetFrame frame, int covered) {
    Payload datagram = frame.datagram();
    int expected =
        icrc.compute(
            frame.route(), frame.identification(), datagram.buffer(), datagram.offset(), covered);
    int found = Integer.reverseBytes(datagram.buffer().getInt(datagram.offset() + covered));
    boolean isUnfragmented = frame.route().isIpv6() || frame.flags() == DONT_FRAGMENT;
    return found == expected && isUnfragmented;
  }
}
