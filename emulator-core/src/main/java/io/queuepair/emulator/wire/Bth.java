package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

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

  private static final int SOLICITED = 0x80;
  private static final int MIGRATED = 0x40;
  private static final int FECN = 0x80 << 24;
  private static final int BECN = 0x40 << 24;
  private static final int ACK_REQUEST = 0x80 << 24;
  private static final int NUMBER = 0xffffff;

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

  /** Reads a header whose opcode is known not to be reserved. */
  static Bth read(ByteBuffer bytes, int at) {
    int flags = bytes.get(at + 1);
    int qpnWord = bytes.getInt(at + 4);
    int psnWord = bytes.getInt(at + 8);
    return new Bth(
        opcodeAt(bytes, at),
        (flags & SOLICITED) != 0,
        (flags & MIGRATED) != 0,
        Short.toUnsignedInt(bytes.getShort(at + 2)),
        (qpnWord & FECN) != 0,
        (qpnWord & BECN) != 0,
        qpnWord & NUMBER,
        (psnWord & ACK_REQUEST) != 0,
        psnWord & NUMBER);
  }

  void write(int padCount, ByteBuffer into, int at) {
    int flags = (solicited ? SOLICITED : 0) | (migrated ? MIGRATED : 0) | padCount << 4;
    into.put(at, (byte) opcode.code());
    into.put(at + 1, (byte) flags);
    into.putShort(at + 2, (short) pkey);
    into.putInt(at + 4, (fecn ? FECN : 0) | (becn ? BECN : 0) | destQpn);
    into.putInt(at + 8, (ackRequest ? ACK_REQUEST : 0) | psn);
  }

  static Opcode opcodeAt(ByteBuffer bytes, int at) {
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
    return bytes.getInt(at + 8) & NUMBER;
  }

  public static int destQpnAt(ByteBuffer bytes, int at) {
    return bytes.getInt(at + 4) & NUMBER;
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
