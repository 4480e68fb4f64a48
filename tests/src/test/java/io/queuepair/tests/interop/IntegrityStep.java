// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.interop;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One step of the integrity protocol ({@code tests/interop/PROTOCOL.md}).
 *
 * @param number from 1
 * @param operation what the active side posts
 * @param isClientActive whether the client posts it
 * @param size bytes of the message
 */
record IntegrityStep(int number, IntegrityOperation operation, boolean isClientActive, int size) {
  /** Request that is posted. */
  enum IntegrityOperation {
    SEND,
    SEND_IMM,
    WRITE,
    WRITE_IMM,
    READ;

    boolean isSend() {
      return this == SEND || this == SEND_IMM;
    }

    boolean hasImmediate() {
      return this == SEND_IMM || this == WRITE_IMM;
    }
  }

  /** Bytes before and after a message that must stay untouched. */
  static final int GUARD = 64;

  private static final int[] SIZES = {0, 1, 7, 1000, 1024, 4096, 65_536, 1_048_573};
  private static final int BLOCK = 32;
  private static final int ROW = 1024 * BLOCK;

  static List<IntegrityStep> all() {
    List<IntegrityStep> steps = new ArrayList<>();
    for (int size : SIZES) {
      for (IntegrityOperation operation : IntegrityOperation.values()) {
        steps.add(new IntegrityStep(steps.size() + 1, operation, true, size));
        steps.add(new IntegrityStep(steps.size() + 1, operation, false, size));
      }
    }
    return steps;
  }

  /** Where the message begins in both regions: not aligned to anything, on purpose. */
  int offset() {
    return GUARD + 7 * number % 61;
  }

  int immediate() {
    return 0x5150_0000 + number;
  }

  /**
   * Byte i of the first row is byte i mod 32 of SHA-256("queuepair STEP (i div 32)"); in later rows
   * it is that of the first row, XOR byte i mod 32 of SHA-256("queuepair STEP row ROW").
   */
  byte[] pattern() {
    byte[] pattern = new byte[size];
    for (int at = 0; at < Math.min(size, ROW); at += BLOCK) {
      byte[] digest = sha256("queuepair " + number + " " + at / BLOCK);
      System.arraycopy(digest, 0, pattern, at, Math.min(BLOCK, size - at));
    }
    for (int row = 1; row * ROW < size; row++) {
      byte[] mask = sha256("queuepair " + number + " row " + row);
      for (int i = 0; i < Math.min(ROW, size - row * ROW); i++) {
        pattern[row * ROW + i] = (byte) (pattern[i] ^ mask[i % BLOCK]);
      }
    }
    return pattern;
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  String title() {
    String name = operation.name().toLowerCase(Locale.ROOT);
    return "step "
        + number
        + " "
        + name
        + " "
        + (isClientActive ? "client" : "server")
        + " "
        + size;
  }
}
