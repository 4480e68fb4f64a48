// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * View of bytes in memory of another owner. It is valid while the owner does not change the bytes;
 * code that needs them longer makes a {@link #copy()}. Position and limit of the buffer are
 * ignored, except that the range ends at the limit or before. Two payloads are equal if their bytes
 * are.
 */
public record Payload(ByteBuffer buffer, int offset, int length) {
  public static final Payload EMPTY = of(new byte[0]);

  public Payload {
    assert offset >= 0 && length >= 0 : offset + " " + length;
    assert offset <= buffer.limit() - length : offset + " " + length + " " + buffer;
  }

  public static Payload of(byte[] bytes) {
    return new Payload(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  /**
   * Copies the bytes between position and limit of several buffers, joined.
   *
   * @param parts buffers with no more bytes in all than an array can hold
   */
  public static Payload copyOf(List<ByteBuffer> parts) {
    long length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    ByteBuffer joined = ByteBuffer.allocate(Math.toIntExact(length));
    for (ByteBuffer part : parts) {
      joined.put(part.duplicate());
    }
    return new Payload(joined, 0, joined.capacity());
  }

  /** Copies the bytes to an absolute index; no position changes. */
  public void copyTo(ByteBuffer target, int at) {
    target.put(at, buffer, offset, length);
  }

  /** Copies the bytes to memory of their own. */
  public Payload copy() {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return of(bytes);
  }

  /** Whether both share bytes of one buffer. */
  @SuppressWarnings("ReferenceEquality") // Equal bytes elsewhere are other bytes.
  public boolean overlaps(Payload other) {
    return buffer == other.buffer
        && offset - other.offset < other.length
        && other.offset - offset < length
        && length > 0
        && other.length > 0;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that && slice().equals(that.slice());
  }

  @Override
  public int hashCode() {
    return slice().hashCode();
  }

  private ByteBuffer slice() {
    return buffer.slice(offset, length);
  }

  @Override
  public String toString() {
    return "payload=" + length;
  }
}
