// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Capture files written by the specifications of their formats, in either byte order. */
final class CaptureBytes {
  /** RC SEND_ONLY of "hello" from 10.0.0.1 to 10.0.0.2: IP header to ICRC. */
  static final String SEND =
      "4500003400004000401126b70a0000010a000002 c12312b700200000"
          + " 0430ffff0000001180123456 68656c6c6f000000 c6a414ee";

  private final ByteBuffer bytes;

  CaptureBytes(ByteOrder order) {
    bytes = ByteBuffer.allocate(1 << 16).order(order);
  }

  static byte[] hex(String spaced) {
    return HexFormat.of().parseHex(spaced.replace(" ", ""));
  }

  /** The header of a pcap file. */
  CaptureBytes pcap(int magic, int linkType) {
    bytes.putInt(magic).putShort((short) 2).putShort((short) 4);
    bytes.putInt(0).putInt(0).putInt(65_535).putInt(linkType);
    return this;
  }

  /** A packet of a pcap file, captured as a whole. */
  CaptureBytes record(int seconds, int units, byte[] frame) {
    bytes.putInt(seconds).putInt(units).putInt(frame.length).putInt(frame.length).put(frame);
    return this;
  }

  CaptureBytes section() {
    int start = begin(0x0a0d0d0a);
    bytes.putInt(0x1a2b3c4d).putShort((short) 1).putShort((short) 0).putLong(-1);
    return end(start);
  }

  CaptureBytes describe(int linkType, byte[] options) {
    int start = begin(1);
    bytes.putShort((short) linkType).putShort((short) 0).putInt(0).put(options);
    return end(start);
  }

  CaptureBytes enhanced(int interfaceId, long time, byte[] frame, String comment) {
    int start = begin(6);
    bytes.putInt(interfaceId).putInt((int) (time >>> 32)).putInt((int) time);
    bytes.putInt(frame.length).putInt(frame.length).put(frame);
    pad();
    byte[] text = comment.getBytes(StandardCharsets.UTF_8);
    bytes.putShort((short) 1).putShort((short) text.length).put(text);
    pad();
    bytes.putInt(0);
    return end(start);
  }

  CaptureBytes simple(byte[] frame) {
    int start = begin(3);
    bytes.putInt(frame.length).put(frame);
    pad();
    return end(start);
  }

  /** A block of a type that holds no frames. */
  CaptureBytes other(int type) {
    int start = begin(type);
    bytes.putLong(7);
    return end(start);
  }

  private int begin(int type) {
    int start = bytes.position();
    bytes.putInt(type).putInt(0);
    return start;
  }

  private CaptureBytes end(int start) {
    int length = bytes.position() + Integer.BYTES - start;
    bytes.putInt(start + Integer.BYTES, length).putInt(length);
    return this;
  }

  private void pad() {
    while (bytes.position() % Integer.BYTES != 0) {
      bytes.put((byte) 0);
    }
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  List<PacketRecord> packets() {
    return packets(toArray());
  }

  /** All packets of a file. */
  static List<PacketRecord> packets(byte[] file) {
    List<PacketRecord> packets = new ArrayList<>();
    try (CaptureFile capture = CaptureFile.read("test", new ByteArrayInputStream(file))) {
      for (Optional<PacketRecord> next = capture.next(); next.isPresent(); next = capture.next()) {
        packets.add(next.get());
      }
    }
    return packets;
  }
}
