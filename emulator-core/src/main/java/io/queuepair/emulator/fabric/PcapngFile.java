package io.queuepair.emulator.fabric;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A capture file of one Ethernet interface (pcapng, IETF draft-ietf-opsawg-pcapng): a section
 * header, an interface description, and an enhanced packet block for each frame. Big-endian, which
 * the byte-order magic announces.
 */
final class PcapngFile implements Closeable {
  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int ENHANCED_PACKET = 6;

  private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
  private static final int MAJOR_VERSION = 1;
  private static final int MINOR_VERSION = 0;
  private static final long UNKNOWN_SECTION_BYTES = -1;
  private static final int LINKTYPE_ETHERNET = 1;
  private static final int NO_SNAP_LENGTH = 0;
  private static final int INTERFACE_ID = 0;

  /** Type and length in front, the length again behind. */
  private static final int BLOCK_FRAME_BYTES = 12;

  private static final int FRAME_OFFSET = 28;
  private static final int CAPTURED_LENGTH_OFFSET = 20;
  private static final int OPTION_FRONT_BYTES = 4;

  private static final int END_OF_OPTIONS = 0;
  private static final int COMMENT = 1;
  private static final int USER_APPLICATION = 4;
  private static final int TIMESTAMP_RESOLUTION = 9;
  private static final byte NANOSECONDS = 9;

  private static final int BUFFER_BYTES = 1 << 16;

  private final DataOutputStream out;

  /**
   * The same file, to change what is there already; null if it is no file, such as a pipe. No
   * channel: that would close when a thread writes that somebody interrupts.
   */
  private final RandomAccessFile file;

  private long writtenBytes;

  private PcapngFile(OutputStream bytes, RandomAccessFile file) {
    out = new DataOutputStream(new BufferedOutputStream(bytes, BUFFER_BYTES));
    this.file = file;
  }

  /** Creates or overwrites the file, which is readable from the beginning. */
  static PcapngFile create(Path path) throws IOException {
    boolean isSpecial = Files.exists(path) && !Files.isRegularFile(path);
    if (isSpecial || path.getFileSystem() != FileSystems.getDefault()) {
      return begin(Files.newOutputStream(path));
    }
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    file.setLength(0);
    return begun(new PcapngFile(new FileOutputStream(file.getFD()), file));
  }

  /** Begins a file whose bytes go there. */
  static PcapngFile begin(OutputStream bytes) throws IOException {
    return begun(new PcapngFile(bytes, null));
  }

  private static PcapngFile begun(PcapngFile file) throws IOException {
    file.addSectionHeader();
    file.addInterface();
    file.flush();
    return file;
  }

  /**
   * Adds a frame.
   *
   * @param epochNanos nanoseconds since 1970
   * @param comment what there is to say about it, or null
   * @return where it begins in the file
   */
  long add(long epochNanos, byte[] frame, int length, String comment) throws IOException {
    byte[] options = comment == null ? new byte[0] : commentOptions(comment);
    int bodyBytes = 5 * Integer.BYTES + length + padBytes(length) + options.length;
    out.writeInt(ENHANCED_PACKET);
    out.writeInt(BLOCK_FRAME_BYTES + bodyBytes);
    out.writeInt(INTERFACE_ID);
    // The high word comes first in either byte order.
    out.writeLong(epochNanos);
    out.writeInt(length);
    out.writeInt(length);
    out.write(frame, 0, length);
    writePad(out, length);
    out.write(options);
    out.writeInt(BLOCK_FRAME_BYTES + bodyBytes);
    long offset = writtenBytes;
    writtenBytes += BLOCK_FRAME_BYTES + bodyBytes;
    return offset;
  }

  /**
   * Says something more about a frame that is there already; what is behind it moves.
   *
   * @param offset where it begins
   * @return how many bytes longer it is; 0 if nothing can be changed any more
   */
  int comment(long offset, String comment) throws IOException {
    if (file == null) {
      return 0;
    }
    flush();
    ByteBuffer tail = ByteBuffer.allocate(Math.toIntExact(writtenBytes - offset));
    file.seek(offset);
    file.readFully(tail.array());
    int blockBytes = tail.getInt(Integer.BYTES);
    int captured = tail.getInt(CAPTURED_LENGTH_OFFSET);
    int end = blockBytes - Integer.BYTES;
    boolean hasOptions = end > FRAME_OFFSET + captured + padBytes(captured);
    // Options end with one that says so, which the new one takes with it.
    int at = hasOptions ? end - OPTION_FRONT_BYTES : end;
    byte[] options = commentOptions(comment);
    int more = options.length - (end - at);
    ByteBuffer changed = ByteBuffer.allocate(tail.capacity() + more);
    changed.put(tail.slice(0, at)).put(options);
    changed.putInt(Integer.BYTES, blockBytes + more);
    changed.putInt(blockBytes + more);
    changed.put(tail.slice(blockBytes, tail.capacity() - blockBytes));
    file.seek(offset);
    file.write(changed.array());
    writtenBytes += more;
    return more;
  }

  private static byte[] commentOptions(String comment) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream options = new DataOutputStream(bytes);
    writeOption(options, COMMENT, comment.getBytes(StandardCharsets.UTF_8));
    writeOption(options, END_OF_OPTIONS, new byte[0]);
    return bytes.toByteArray();
  }

  void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** Closes the file after writing failed, and cuts off what is no whole block, if it can. */
  void endEarly() throws IOException {
    if (file == null) {
      out.close();
      return;
    }
    // Not the writer: it would write again what is left in its buffer.
    try (file) {
      file.setLength(wholeBlocksBytes());
    }
  }

  /** Looks at the file itself, as nobody knows how much of a buffer got there. */
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

  private void addInterface() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream body = new DataOutputStream(bytes);
    body.writeShort(LINKTYPE_ETHERNET);
    body.writeShort(0);
    body.writeInt(NO_SNAP_LENGTH);
    writeOption(body, TIMESTAMP_RESOLUTION, new byte[] {NANOSECONDS});
    writeOption(body, END_OF_OPTIONS, new byte[0]);
    writeBlock(INTERFACE_DESCRIPTION, bytes.toByteArray());
  }

  private void writeBlock(int type, byte[] body) throws IOException {
    out.writeInt(type);
    out.writeInt(BLOCK_FRAME_BYTES + body.length);
    out.write(body);
    out.writeInt(BLOCK_FRAME_BYTES + body.length);
    writtenBytes += BLOCK_FRAME_BYTES + body.length;
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

  /** Everything in a block is a whole number of 32-bit words. */
  private static int padBytes(int length) {
    return -length & 3;
  }
}
