// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A maximum transfer unit: payload bytes of one packet ({@code enum ibv_mtu}). */
public enum Mtu implements VerbsConstant {
  /** 256 bytes. */
  MTU_256(1),

  /** 512 bytes. */
  MTU_512(2),

  /** 1024 bytes. */
  MTU_1024(3),

  /** 2048 bytes. */
  MTU_2048(4),

  /** 4096 bytes. */
  MTU_4096(5);

  private final int code;

  Mtu(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  /**
   * The size this constant stands for.
   *
   * @return bytes of payload, 256 to 4096
   */
  public int bytes() {
    return 128 << code;
  }

  /**
   * The MTU of a size.
   *
   * @param bytes 256, 512, 1024, 2048 or 4096
   * @return the constant
   * @throws IllegalArgumentException if no MTU has this size
   */
  public static Mtu ofBytes(int bytes) {
    for (Mtu mtu : values()) {
      if (mtu.bytes() == bytes) {
        return mtu;
      }
    }
    throw new IllegalArgumentException(
        "MTU " + bytes + " is not one of 256, 512, 1024, 2048, 4096 bytes");
  }

  /**
   * The largest MTU whose payload fits, the smallest one if none does.
   *
   * @param payloadBytes room for payload in one packet, in bytes
   * @return the MTU
   */
  public static Mtu largestWithin(int payloadBytes) {
    Mtu largest = MTU_256;
    for (Mtu mtu : values()) {
      if (mtu.bytes() <= payloadBytes) {
        largest = mtu;
      }
    }
    return largest;
  }
}
