// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A capture file of Ethernet interfaces (pcapng, IETF draft-ietf-opsawg-pcapng): a section header,
 * a description of each interface, named by the address of its port, before its first frame, and an
 * enhanced packet block for each frame. Big-endian, which the byte-order magic announces. What is
 * written is never changed.
 */
final class PcapngWriter implements Closeable {
  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int ENHANCED_PACKET = 6;

  private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
  private static final int MAJOR_VERSION = 1;
  private static final int MINOR_VERSION = 0;
  private static final long UNKNOWN_SECTION_BYTES = -1;
  private static final int LINKTYPE_ETHERNET = 1;
  private static final int NO_SNAP_LENGTH = 0;

  /** Bytes around the body of a block: type and length before it, the length again after it. */
  private static final int BLOCK_FRAME_BYTES = 12;

  private static final int END_OF_OPTIONS = 0;
  private static final int COMMENT = 1;
  private static final int INTERFACE_NAME = 2;
  private static final int PACKET_FLAGS = 2;
  private static final int USER_APPLICATION = 4;
  private static final int TIMESTAMP_RESOLUTION = 9;
  private static final byte NANOSECONDS = 9;

  /** The two lowest bits of a packet's flags. */
  private static final int INBOUND = 1;

  private static final int OUTBOUND = 2;

  private static final int BUFFER_BYTES = 1 << 16;

  private final DataOutputStream out;

  /**
   * The file, to cut off an incomplete block; null if it is no regular file, such as a pipe. Not a
   * FileChannel, which closes when an interrupted thread writes.
   */
  private final @Nullable RandomAccessFile file;

  /** The numbers of the interfaces described so far, by the addresses of their ports. */
  private final Map<InetAddress, Integer> interfaces = new LinkedHashMap<>();

  private PcapngWriter(OutputStream bytes, @Nullable RandomAccessFile file) {
    out = new DataOutputStream(new BufferedOutputStream(bytes, BUFFER_BYTES));
    this.file = file;
  }

  /** Creates or overwrites a file, which is a readable capture at once. */
  static PcapngWriter create(Path path) throws IOException {
    boolean isSpecial = Files.exists(path) && !Files.isRegularFile(path);
    if (isSpecial || path.getFileSystem() != FileSystems.getDefault()) {
      return begin(Files.newOutputStream(path));
    }
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    file.setLength(0);
    return begun(new PcapngWriter(new FileOutputStream(file.getFD()), file));
  }

  /** Begins a capture that is written to a stream. */
  static PcapngWriter begin(OutputStream bytes) throws IOException {
    return begun(new PcapngWriter(bytes, null));
  }

  private static PcapngWriter begun(PcapngWriter writer) throws IOException {
    writer.addSectionHeader();
    writer.flush();
    return writer;
  }

  /**
   * Adds a frame.
   *
   * @param epochOffsetNanos offset from its time to nanoseconds since 1970
   */
  void add(long epochOffsetNanos, PendingPacket packet) throws IOException {
    int interfaceId = interfaceOf(packet.observed().port());
    byte[] bytes = packet.bytes();
    byte[] options = options(packet);
    int bodyBytes = 5 * Integer.BYTES + bytes.length + padBytes(bytes.length) + options.length;
    out.writeInt(ENHANCED_PACKET);
    out.writeInt(BLOCK_FRAME_BYTES + bodyBytes);
    out.writeInt(interfaceId);
    // The timestamp has its high word first in either byte order.
    out.writeLong(epochOffsetNanos + packet.observed().nowNanos());
    out.writeInt(bytes.length);
    out.writeInt(bytes.length);
    out.write(bytes);
    writePad(out, bytes.length);
    out.write(options);
    out.writeInt(BLOCK_FRAME_BYTES + bodyBytes);
  }

  private static byte[] options(PendingPacket packet) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream options = new DataOutputStream(bytes);
    for (String comment : packet.comments()) {
      writeOption(options, COMMENT, comment.getBytes(StandardCharsets.UTF_8));
    }
    int direction = packet.observed().isInbound() ? INBOUND : OUTBOUND;
    writeOption(options, PACKET_FLAGS, new byte[] {0, 0, 0, (byte) direction});
    writeOption(options, END_OF_OPTIONS, new byte[0]);
    return bytes.toByteArray();
  }

  /** Number of the interface of a port; writes its description if it is new. */
  private int interfaceOf(InetAddress port) throws IOException {
    Integer known = interfaces.get(port);
    if (known != null) {
      return known;
    }
    addInterface(port);
    interfaces.put(port, interfaces.size());
    return interfaces.size() - 1;
  }

  void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** Closes the file after a failed write, and cuts off an incomplete block, if it can. */
  void endEarly() throws IOException {
    if (file == null) {
      out.close();
      return;
    }
    // Closes the file, not the stream, which would write what is left in its buffer.
    try (file) {
      file.setLength(wholeBlocksBytes());
    }
  }

  /** Length of the whole blocks, read from the file: how much was written is unknown. */
  private long wholeBlocksBytes() throws IOException {
    long end = 0;
    while (file.length() - end >= BLOCK_FRAME_BYTES) {
      file.seek(end + Integer.BYTES);
      long blockBytes = Integer.toUnsignedLong(file.readInt());
      if (blockBytes < BLOCK_FRAME_BYTES || blockBytes > file.length() - end) {
        return end;
      }
      file.seek(end + blockBytes - Integer.BYTES);
      if (Integer.toUnsignedLong(file.readInt()) != blockBytes) {
        return end;
      }
      end += blockBytes;
    }
    return end;
  }

  private void addSectionHeader() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream body = new DataOutputStream(bytes);
    body.writeInt(BYTE_ORDER_MAGIC);
    body.writeShort(MAJOR_VERSION);
    body.writeShort(MINOR_VERSION);
    body.writeLong(UNKNOWN_SECTION_BYTES);
    writeOption(body, USER_APPLICATION, "Queuepair".getBytes(StandardCharsets.UTF_8));
    writeOption(body, END_OF_OPTIONS, new byte[0]);
    writeBlock(SECTION_HEADER, bytes.toByteArray());
  }

  private void addInterface(InetAddress port) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream body = new DataOutputStream(bytes);
    body.writeShort(LINKTYPE_ETHERNET);
    body.writeShort(0);
    body.writeInt(NO_SNAP_LENGTH);
    byte[] name = port.getHostAddress().getBytes(StandardCharsets.UTF_8);
    writeOption(body, INTERFACE_NAME, name);
    writeOption(body, TIMESTAMP_RESOLUTION, new byte[] {NANOSECONDS});
    writeOption(body, END_OF_OPTIONS, new byte[0]);
    writeBlock(INTERFACE_DESCRIPTION, bytes.toByteArray());
  }

  private void writeBlock(int type, byte[] body) throws IOException {
    out.writeInt(type);
    out.writeInt(BLOCK_FRAME_BYTES + body.length);
    out.write(body);
    out.writeInt(BLOCK_FRAME_BYTES + body.length);
  }

  private static void writeOption(DataOutputStream to, int code, byte[] value) throws IOException {
    to.writeShort(code);
    to.writeShort(value.length);
    to.write(value);
    writePad(to, value.length);
  }

  private static void writePad(DataOutputStream to, int length) throws IOException {
    for (int i = 0; i < padBytes(length); i++) {
      to.writeByte(0);
    }
  }

  /** Bytes that pad a length to a multiple of 4, as pcapng demands of all fields in a block. */
  private static int padBytes(int length) {
    return -length & 3;
  }
}
