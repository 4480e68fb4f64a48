// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that never change. Equal when the bytes are. */
public final class ImmutableBytes {
  public static final ImmutableBytes EMPTY = new ImmutableBytes(new byte[0]);

  private final byte[] bytes;

  private ImmutableBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of an array. */
  public static ImmutableBytes of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new ImmutableBytes(bytes.clone());
  }

  /** A copy of a part of a buffer, whose position stays where it is. */
  public static ImmutableBytes of(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return new ImmutableBytes(bytes);
  }

  public int length() {
    return bytes.length;
  }

  /** A copy. */
  public byte[] toArray() {
    return bytes.clone();
  }

  /** To be read only. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Copies to an absolute index and moves no position. */
  public void copyTo(ByteBuffer target, int at) {
    target.put(at, bytes);
  }

  /** Copy without the first bytes, of which there must be as many. */
  public ImmutableBytes from(int first) {
    return new ImmutableBytes(Arrays.copyOfRange(bytes, first, bytes.length));
  }

  /** The first bytes, of which there must be as many. */
  public ImmutableBytes first(int length) {
    assert length <= bytes.length : length + " of " + bytes.length;
    return new ImmutableBytes(Arrays.copyOf(bytes, length));
  }

  /** These and then others. */
  public ImmutableBytes then(ImmutableBytes otherBytes) {
    byte[] joined = Arrays.copyOf(bytes, bytes.length + otherBytes.bytes.length);
    System.arraycopy(otherBytes.bytes, 0, joined, bytes.length, otherBytes.bytes.length);
    return new ImmutableBytes(joined);
  }

  /** With zeros behind them, so that there are as many as asked for, which is not less. */
  public ImmutableBytes padded(int length) {
    assert length >= bytes.length : bytes.length + " do not fit into " + length;
    return length == bytes.length ? this : new ImmutableBytes(Arrays.copyOf(bytes, length));
  }

  /** How many there are up to the last that is not zero. */
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

  /** In hex. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
