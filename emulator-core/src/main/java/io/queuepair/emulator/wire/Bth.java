// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Base transport header, the first twelve bytes of every packet (InfiniBand Architecture, BTH). The
 * pad count follows from the payload and the transport version is always 0, so neither is a field.
 *
 * @param migrated MigReq: the path of the sender is the one it has migrated to
 * @param fecn congestion was met on the way; changes in flight, so the ICRC does not cover it
 * @param becn the answer to {@code fecn}; not covered either
 */
public record Bth(
    Opcode opcode,
    boolean solicited,
    boolean migrated,
    int pkey,
    boolean fecn,
    boolean becn,
    int destQpn,
    boolean ackRequest,
    int psn) {

  private static final int SOLICITED = 0x80 << 16;
  private static final int MIGRATED = 0x40 << 16;
  private static final int FECN = 0x80 << 24;
  private static final int BECN = 0x40 << 24;
  private static final int ACK_REQUEST = 0x80 << 24;
  private static final int NUMBER = 0xffffff;
  private static final int PKEY = 0xffff;
  private static final int CODE_SHIFT = 24;
  private static final int PAD_SHIFT = 20;
  static final int QPN_AT = 4;
  static final int PSN_AT = 8;

  public Bth {
    assert pkey >>> 16 == 0 : pkey;
    assert destQpn >>> 24 == 0 : destQpn;
    assert psn >>> 24 == 0 : psn;
  }

  /** A header of the default partition with no flag set. */
  public static Bth of(Opcode opcode, int destQpn, int psn) {
    return new Bth(opcode, false, false, PartitionKey.DEFAULT, false, false, destQpn, false, psn);
  }

  public Bth withSolicited(boolean solicited) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withMigrated(boolean migrated) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withPkey(int pkey) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withFecn(boolean fecn) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withDestQpn(int destQpn) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withPsn(int psn) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withBecn(boolean becn) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  public Bth withAckRequest(boolean ackRequest) {
    return new Bth(opcode, solicited, migrated, pkey, fecn, becn, destQpn, ackRequest, psn);
  }

  /** The header of three words as on the wire; bits without a meaning make no difference. */
  static Bth ofWords(int codeWord, int qpnWord, int psnWord) {
    return new Bth(
        opcodeOf(codeWord),
        isSolicited(codeWord),
        isMigrated(codeWord),
        pkeyOf(codeWord),
        (qpnWord & FECN) != 0,
        (qpnWord & BECN) != 0,
        numberOf(qpnWord),
        asksForAck(psnWord),
        numberOf(psnWord));
  }

  /** The first word, with a pad count of 0. */
  int codeWord() {
    return codeWord(opcode, pkey) | solicitedBit(solicited) | migratedBit(migrated);
  }

  int qpnWord() {
    return (fecn ? FECN : 0) | (becn ? BECN : 0) | destQpn;
  }

  int psnWord() {
    return ackRequestBit(ackRequest) | psn;
  }

  /** The first word without flags, with a pad count of 0. */
  static int codeWord(Opcode opcode, int pkey) {
    return opcode.code() << CODE_SHIFT | pkey;
  }

  static int solicitedBit(boolean solicited) {
    return solicited ? SOLICITED : 0;
  }

  static int migratedBit(boolean migrated) {
    return migrated ? MIGRATED : 0;
  }

  static int ackRequestBit(boolean ackRequest) {
    return ackRequest ? ACK_REQUEST : 0;
  }

  /** The first word on the wire, whose opcode must not be reserved, with a pad count of 0. */
  static int codeWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at) & (0xff << CODE_SHIFT | SOLICITED | MIGRATED | PKEY);
  }

  static int qpnWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at + QPN_AT) & (FECN | BECN | NUMBER);
  }

  static int psnWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at + PSN_AT) & (ACK_REQUEST | NUMBER);
  }

  /** Bits of the pad count in the first word. */
  static int padBits(int padCount) {
    return padCount << PAD_SHIFT;
  }

  static Opcode opcodeOf(int codeWord) {
    return Opcode.ofCode(codeWord >>> CODE_SHIFT);
  }

  static boolean isSolicited(int codeWord) {
    return (codeWord & SOLICITED) != 0;
  }

  static boolean isMigrated(int codeWord) {
    return (codeWord & MIGRATED) != 0;
  }

  static int pkeyOf(int codeWord) {
    return codeWord & PKEY;
  }

  static boolean asksForAck(int psnWord) {
    return (psnWord & ACK_REQUEST) != 0;
  }

  /** The queue pair of its word, or the PSN of its. */
  static int numberOf(int word) {
    return word & NUMBER;
  }

  static @Nullable Opcode opcodeAt(ByteBuffer bytes, int at) {
    return Opcode.ofCode(codeAt(bytes, at));
  }

  static int padCountAt(ByteBuffer bytes, int at) {
    return bytes.get(at + 1) >>> 4 & 3;
  }

  static int transportVersionAt(ByteBuffer bytes, int at) {
    return bytes.get(at + 1) & 0xf;
  }

  public static int codeAt(ByteBuffer bytes, int at) {
    return Byte.toUnsignedInt(bytes.get(at));
  }

  public static int psnAt(ByteBuffer bytes, int at) {
    return numberOf(bytes.getInt(at + PSN_AT));
  }

  public static int destQpnAt(ByteBuffer bytes, int at) {
    return numberOf(bytes.getInt(at + QPN_AT));
  }

  /** The part of a ladder line before the extension headers; says only what is unusual. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(64);
    line.append(opcode).append(String.format(" dqpn=0x%06x psn=", destQpn)).append(psn);
    line.append(pkey == PartitionKey.DEFAULT ? "" : String.format(" pkey=0x%04x", pkey));
    line.append(solicited ? " solicited" : "").append(migrated ? " migrated" : "");
    line.append(fecn ? " fecn" : "").append(becn ? " becn" : "");
    return line.append(ackRequest ? " ackreq" : "").toString();
  }
}
