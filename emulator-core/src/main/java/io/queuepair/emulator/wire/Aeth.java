// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * ACK extended transport header: the verdict of the responder on the request at this PSN. Syndrome
 * bits 7-5 give the kind (ACK, RNR NAK, NAK; all others are reserved), bits 4-0 a credit code, a
 * timer code or a {@link NakCode} (InfiniBand Architecture, AETH Syndrome).
 *
 * @param msn number of completed request messages, 24 bits
 */
public record Aeth(int syndrome, int msn) implements ExtensionHeader {
  /** Credit code of a responder that does not limit its requester. */
  public static final int UNLIMITED_CREDITS = 31;

  /** Number of receives for each credit code from 0 to 30 (End-to-End Flow Control Credits). */
  private static final int[] RECEIVE_WQES = {
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768
  };

  private static final int ACK = 0;
  private static final int RNR_NAK = 1;
  private static final int NAK = 3;

  public Aeth {
    assert syndrome >>> 8 == 0 : syndrome;
    assert msn >>> 24 == 0 : msn;
  }

  /** Creates an ACK without flow control by credits. */
  public static Aeth ack(int msn) {
    return ack(UNLIMITED_CREDITS, msn);
  }

  public static Aeth ack(int creditCode, int msn) {
    return of(ACK, creditCode, msn);
  }

  public static Aeth nak(NakCode code, int msn) {
    return new Aeth(code.syndrome(), msn);
  }

  /** Creates an RNR NAK with a code of {@link RnrTimer}. */
  public static Aeth rnrNak(int timerCode, int msn) {
    return of(RNR_NAK, timerCode, msn);
  }

  private static Aeth of(int type, int value, int msn) {
    assert value >>> 5 == 0 : value;
    return new Aeth(type << 5 | value, msn);
  }

  static Aeth read(ByteBuffer bytes, int at) {
    int word = bytes.getInt(at);
    return new Aeth(word >>> 24, word & Psn.MASK);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, syndrome << 24 | msn);
  }

  public boolean isAck() {
    return syndrome >>> 5 == ACK;
  }

  public boolean isRnrNak() {
    return syndrome >>> 5 == RNR_NAK;
  }

  public boolean isNak() {
    return syndrome >>> 5 == NAK;
  }

  /** Reason of a NAK; null if its code is reserved. */
  public @Nullable NakCode nakCode() {
    assert isNak() : this;
    return NakCode.ofCode(value());
  }

  /** Code of the time that the requester has to wait, see {@link RnrTimer}. */
  public int rnrTimerCode() {
    assert isRnrNak() : this;
    return value();
  }

  /** Code of the number of receives that the responder has left, see {@link #receiveWqes}. */
  public int creditCode() {
    assert isAck() : this;
    return value();
  }

  /** Number of receives for a credit code of 0 to 30. */
  public static int receiveWqes(int creditCode) {
    return RECEIVE_WQES[creditCode];
  }

  /** Largest credit code that promises at most this number of receives. */
  public static int creditCodeWithin(int receiveWqes) {
    int code = 0;
    while (code + 1 < RECEIVE_WQES.length && RECEIVE_WQES[code + 1] <= receiveWqes) {
      code++;
    }
    return code;
  }

  private int value() {
    return syndrome & 0x1f;
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.AETH;
  }

  @Override
  public String toString() {
    return verdict() + " msn=" + msn;
  }

  private String verdict() {
    if (isAck()) {
      return value() == UNLIMITED_CREDITS ? "ack" : "ack credits=" + value();
    }
    if (isRnrNak()) {
      return "rnr_nak timer=" + value();
    }
    if (isNak() && nakCode() != null) {
      return "nak=" + nakCode();
    }
    return String.format("reserved_syndrome=0x%02x", syndrome);
  }
}
