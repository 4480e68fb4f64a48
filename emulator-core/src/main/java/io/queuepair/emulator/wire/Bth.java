// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Base transport header, the first twelve bytes of every packet (InfiniBand Architecture, BTH). Two
 * fields are left out: the pad count follows from the payload, and the transport version is always
 * 0.
 *
 * @param migrated MigReq: the sender uses the path that it has migrated to
 * @param fecn congestion on the way; it changes in flight, so the ICRC does not cover it
 * @param becn notification of congestion, in answer to {@code fecn}; not covered by the ICRC either
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

  /** Creates a header for the default partition without flags. */
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

  /** Creates a header from its three words on the wire; reserved bits are ignored. */
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

  /** First word, with a pad count of 0. */
  int codeWord() {
    return codeWord(opcode, pkey) | solicitedBit(solicited) | migratedBit(migrated);
  }

  int qpnWord() {
    return (fecn ? FECN : 0) | (becn ? BECN : 0) | destQpn;
  }

  int psnWord() {
    return ackRequestBit(ackRequest) | psn;
  }

  /** First word without flags, with a pad count of 0. */
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

  /** First word in a packet whose opcode is not reserved, with a pad count of 0. */
  static int codeWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at) & (0xff << CODE_SHIFT | SOLICITED | MIGRATED | PKEY);
  }

  static int qpnWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at + QPN_AT) & (FECN | BECN | NUMBER);
  }

  static int psnWordAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at + PSN_AT) & (ACK_REQUEST | NUMBER);
  }

  /** Bits of a pad count in the first word. */
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

  /** QPN in the second word, or PSN in the third. */
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

  /** Part of a line in a ladder before the extension headers; flags only if they are set. */
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
