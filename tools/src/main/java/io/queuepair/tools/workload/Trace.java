package io.queuepair.tools.workload;

import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Everything sent and completed, in order, as a number of 64 bits. */
final class Trace {
  private final Checksum high = new CRC32();
  private final Checksum low = new CRC32C();
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private long packets;
  private long completions;

  void packet(long nowNanos, ByteBuffer bytes) {
    packets++;
    add(nowNanos);
    high.update(bytes.duplicate());
    low.update(bytes.duplicate());
  }

  void completion(WorkCompletion completion) {
    completions++;
    String text =
        String.join(
            " ",
            Long.toString(completion.wrId()),
            completion.status().name(),
            completion.opcode().name(),
            Integer.toString(completion.qpNum()),
            Integer.toString(completion.byteLen()),
            Integer.toHexString(completion.immData()));
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    high.update(bytes);
    low.update(bytes);
  }

  /** Adds a number, for example the trace of a part. */
  void add(long value) {
    byte[] bytes = number.putLong(0, value).array();
    high.update(bytes);
    low.update(bytes);
  }

  long packets() {
    return packets;
  }

  long completions() {
    return completions;
  }

  long value() {
    return high.getValue() << Integer.SIZE | low.getValue();
  }
}
