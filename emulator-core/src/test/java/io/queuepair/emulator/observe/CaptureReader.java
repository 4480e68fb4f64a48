// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a capture file by the pcapng specification, and checks every length on its way. */
final class CaptureReader {
  private final ByteBuffer file;
  private final List<Integer> blockTypes = new ArrayList<>();
  private final List<ReadFrame> frames = new ArrayList<>();
  private ByteBuffer sectionHeader;
  private final List<ByteBuffer> interfaces = new ArrayList<>();

  /**
   * A frame, with its time in units of the interface.
   *
   * @param port the name of its interface
   * @param flags of which the two lowest bits say whether it came in (1) or went out (2)
   */
  record ReadFrame(long time, EthernetFrame ethernet, String port, int flags) {
    /** Whether the ICRC is the one of exactly these headers. */
    boolean hasExactIcrc() {
      Payload datagram = ethernet.udpPayload();
      int covered = datagram.length() - RoceV2.ICRC_BYTES;
      ByteBuffer bytes = datagram.buffer();
      int expected =
          new Icrc()
              .compute(
                  ethernet.route(), ethernet.identification(), bytes, datagram.offset(), covered);
      return Integer.reverseBytes(bytes.getInt(datagram.offset() + covered)) == expected;
    }

    Packet packet() {
      Payload datagram = ethernet.udpPayload();
      return (Packet)
          new PacketCodec()
              .decode(ethernet.route(), datagram.buffer(), datagram.offset(), datagram.length());
    }
  }

  private CaptureReader(ByteBuffer file) {
    this.file = file;
  }

  static CaptureReader read(Path path) {
    try {
      return read(Files.readAllBytes(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CaptureReader read(byte[] bytes) {
    CaptureReader reader = new CaptureReader(ByteBuffer.wrap(bytes));
    reader.readBlocks();
    return reader;
  }

  List<Integer> blockTypes() {
    return blockTypes;
  }

  List<ReadFrame> frames() {
    return frames;
  }

  /** From the byte-order magic on. */
  ByteBuffer sectionHeader() {
    return sectionHeader;
  }

  /** Each from the link type on. */
  List<ByteBuffer> interfaces() {
    return interfaces;
  }

  /** The first option of an interface, which must be its name. */
  private static String nameOf(ByteBuffer description) {
    assertThat(description.getShort(8)).isEqualTo((short) 2);
    return StandardCharsets.UTF_8
        .decode(description.slice(12, description.getShort(10)))
        .toString();
  }

  private void readBlocks() {
    int at = 0;
    while (at < file.limit()) {
      int type = file.getInt(at);
      int length = file.getInt(at + 4);
      assertThat(length).isBetween(12, file.limit() - at);
      assertThat(length % 4).isZero();
      assertThat(file.getInt(at + length - 4)).isEqualTo(length);
      blockTypes.add(type);
      readBody(type, file.slice(at + 8, length - 12));
      at += length;
    }
  }

  private void readBody(int type, ByteBuffer body) {
    switch (type) {
      case 0x0a0d0d0a -> sectionHeader = body;
      case 1 -> interfaces.add(body);
      case 6 -> frames.add(readFrame(body));
      default -> throw new AssertionError("unexpected block type " + type);
    }
  }

  private ReadFrame readFrame(ByteBuffer body) {
    assertThat(body.getInt(0)).as("interface").isBetween(0, interfaces.size() - 1);
    String port = nameOf(interfaces.get(body.getInt(0)));
    long time = (long) body.getInt(4) << 32 | Integer.toUnsignedLong(body.getInt(8));
    int captured = body.getInt(12);
    assertThat(body.getInt(16)).as("original length").isEqualTo(captured);
    ByteBuffer frame = body.slice(20, captured);
    int flags = flags(body, 20 + (captured + 3) / 4 * 4);
    return new ReadFrame(time, EthernetFrame.parse(frame, 0, captured).orElseThrow(), port, flags);
  }

  /** The value of option 2, behind comments, which are option 1; the end, option 0, is last. */
  private static int flags(ByteBuffer body, int optionsAt) {
    int at = optionsAt;
    while (body.getShort(at) == 1) {
      at += 4 + (Short.toUnsignedInt(body.getShort(at + 2)) + 3) / 4 * 4;
    }
    assertThat(body.getInt(at)).as("flags of four bytes").isEqualTo(0x0002_0004);
    assertThat(body.getInt(at + 8)).as("end of options").isZero();
    assertThat(body.limit()).isEqualTo(at + 12);
    return body.getInt(at + 4);
  }
}
