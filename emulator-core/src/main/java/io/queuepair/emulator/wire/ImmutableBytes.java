// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Sequence of bytes that never changes. Two are equal if their bytes are. */
public final class ImmutableBytes {
  public static final ImmutableBytes EMPTY = new ImmutableBytes(new byte[0]);

  private final byte[] bytes;

  private ImmutableBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public static ImmutableBytes of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new ImmutableBytes(bytes.clone());
  }

  /** Copies a part of a buffer, whose position does not change. */
  public static ImmutableBytes of(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return new ImmutableBytes(bytes);
  }

  public int length() {
    return bytes.length;
  }

  public byte[] toArray() {
    return bytes.clone();
  }

  /** Read-only view of the bytes. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Copies the bytes to an absolute index; no position changes. */
  public void copyTo(ByteBuffer target, int at) {
    target.put(at, bytes);
  }

  /** Copy without the first bytes; {@code first} is at most the length. */
  public ImmutableBytes from(int first) {
    return new ImmutableBytes(Arrays.copyOfRange(bytes, first, bytes.length));
  }

  /** Copy of the first bytes; {@code length} is at most the length of all. */
  public ImmutableBytes first(int length) {
    assert length <= bytes.length : length + " of " + bytes.length;
    return new ImmutableBytes(Arrays.copyOf(bytes, length));
  }

  /** These bytes followed by others. */
  public ImmutableBytes then(ImmutableBytes otherBytes) {
    byte[] joined = Arrays.copyOf(bytes, bytes.length + otherBytes.bytes.length);
    System.arraycopy(otherBytes.bytes, 0, joined, bytes.length, otherBytes.bytes.length);
    return new ImmutableBytes(joined);
  }

  /** These bytes followed by zeros up to a length, which is not less than their own. */
  public ImmutableBytes padded(int length) {
    assert length >= bytes.length : bytes.length + " do not fit into " + length;
    return length == bytes.length ? this : new ImmutableBytes(Arrays.copyOf(bytes, length));
  }

  /** Length up to the last byte that is not zero. */
  public int significantLength() {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ImmutableBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Bytes in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
