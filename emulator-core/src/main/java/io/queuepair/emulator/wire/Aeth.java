// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * ACK extended transport header: how the responder judges the request at this PSN. Syndrome bits
 * 7-5 say what it is (ACK, RNR NAK, NAK; everything else is reserved), bits 4-0 carry a credit
 * code, a timer code or a {@link NakCode} (InfiniBand Architecture, AETH Syndrome).
 *
 * @param msn request messages completed, 24 bits
 */
public record Aeth(int syndrome, int msn) implements ExtensionHeader {
  private static final int ACK = 0;
  private static final int RNR_NAK = 1;
  private static final int NAK = 3;

  public Aeth {
    assert syndrome >>> 8 == 0 : syndrome;
    assert msn >>> 24 == 0 : msn;
  }

  /** An ACK that does not take part in flow control by credits. */
  public static Aeth ack(int msn) {
    return ack(CreditCode.UNLIMITED, msn);
  }

  public static Aeth ack(int creditCode, int msn) {
    return of(ACK, creditCode, msn);
  }

  public static Aeth nak(NakCode code, int msn) {
    return new Aeth(code.syndrome(), msn);
  }

  /** "Receiver not ready"; the code is one of {@link RnrTimer}. */
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

  /** The reason of a NAK, null if its code is reserved. */
  public @Nullable NakCode nakCode() {
    assert isNak() : this;
    return NakCode.ofCode(value());
  }

  /** The code of the time the requester has to wait, see {@link RnrTimer}. */
  public int rnrTimerCode() {
    assert isRnrNak() : this;
    return value();
  }

  /** The code of the receives the responder has left, see {@link CreditCode}. */
  public int creditCode() {
    assert isAck() : this;
    return value();
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
      return value() == CreditCode.UNLIMITED ? "ack" : "ack credits=" + value();
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
