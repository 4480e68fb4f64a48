// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields of the MAD header and of the messages of the communication manager (InfiniBand
 * Architecture volume 1, 12.6 and 13.4.2), each with its position, counted from the end of the MAD
 * header, and its length. Bits that are in no field are reserved: ignored when read, zero when
 * written.
 */
public enum CmField {
  // The header of every MAD: first byte, first bit (0 is the highest), length in bits.
  MAD_BASE_VERSION(null, 0, 0, 8),
  MAD_MGMT_CLASS(null, 1, 0, 8),
  MAD_CLASS_VERSION(null, 2, 0, 8),
  MAD_METHOD(null, 3, 0, 8),
  MAD_STATUS(null, 4, 0, 16),
  MAD_CLASS_SPECIFIC(null, 6, 0, 16),
  MAD_TRANSACTION_ID(null, 8, 0, 64),
  MAD_ATTRIBUTE_ID(null, 16, 0, 16),
  MAD_ATTRIBUTE_MODIFIER(null, 20, 0, 32),

  // Request for communication: first byte, first bit (0 is the highest), length in bits.
  REQ_LOCAL_COMM_ID(CmKind.REQ, 0, 0, 32),
  REQ_VENDOR_ID(CmKind.REQ, 5, 0, 24),
  REQ_SERVICE_ID(CmKind.REQ, 8, 0, 64),
  REQ_LOCAL_CA_GUID(CmKind.REQ, 16, 0, 64),
  REQ_LOCAL_QKEY(CmKind.REQ, 28, 0, 32),
  REQ_LOCAL_QPN(CmKind.REQ, 32, 0, 24),
  REQ_RESPONDER_RESOURCES(CmKind.REQ, 35, 0, 8),
  REQ_LOCAL_EECN(CmKind.REQ, 36, 0, 24),
  REQ_INITIATOR_DEPTH(CmKind.REQ, 39, 0, 8),
  REQ_REMOTE_EECN(CmKind.REQ, 40, 0, 24),
  REQ_REMOTE_CM_RESPONSE_TIMEOUT(CmKind.REQ, 43, 0, 5),
  REQ_TRANSPORT_SERVICE_TYPE(CmKind.REQ, 43, 5, 2),
  REQ_END_TO_END_FLOW_CONTROL(CmKind.REQ, 43, 7, 1),
  REQ_STARTING_PSN(CmKind.REQ, 44, 0, 24),
  REQ_LOCAL_CM_RESPONSE_TIMEOUT(CmKind.REQ, 47, 0, 5),
  REQ_RETRY_COUNT(CmKind.REQ, 47, 5, 3),
  REQ_PKEY(CmKind.REQ, 48, 0, 16),
  REQ_PATH_MTU(CmKind.REQ, 50, 0, 4),
  REQ_RDC_EXISTS(CmKind.REQ, 50, 4, 1),
  REQ_RNR_RETRY_COUNT(CmKind.REQ, 50, 5, 3),
  REQ_MAX_CM_RETRIES(CmKind.REQ, 51, 0, 4),
  REQ_SRQ(CmKind.REQ, 51, 4, 1),
  REQ_EXTENDED_TRANSPORT_TYPE(CmKind.REQ, 51, 5, 3),
  REQ_PRIMARY_LOCAL_LID(CmKind.REQ, 52, 0, 16),
  REQ_PRIMARY_REMOTE_LID(CmKind.REQ, 54, 0, 16),
  REQ_PRIMARY_LOCAL_GID(CmKind.REQ, 56, 0, 128),
  REQ_PRIMARY_REMOTE_GID(CmKind.REQ, 72, 0, 128),
  REQ_PRIMARY_FLOW_LABEL(CmKind.REQ, 88, 0, 20),
  REQ_PRIMARY_PACKET_RATE(CmKind.REQ, 91, 2, 6),
  REQ_PRIMARY_TRAFFIC_CLASS(CmKind.REQ, 92, 0, 8),
  REQ_PRIMARY_HOP_LIMIT(CmKind.REQ, 93, 0, 8),
  REQ_PRIMARY_SL(CmKind.REQ, 94, 0, 4),
  REQ_PRIMARY_SUBNET_LOCAL(CmKind.REQ, 94, 4, 1),
  REQ_PRIMARY_LOCAL_ACK_TIMEOUT(CmKind.REQ, 95, 0, 5),
  REQ_ALTERNATE_LOCAL_LID(CmKind.REQ, 96, 0, 16),
  REQ_ALTERNATE_REMOTE_LID(CmKind.REQ, 98, 0, 16),
  REQ_ALTERNATE_LOCAL_GID(CmKind.REQ, 100, 0, 128),
  REQ_ALTERNATE_REMOTE_GID(CmKind.REQ, 116, 0, 128),
  REQ_ALTERNATE_FLOW_LABEL(CmKind.REQ, 132, 0, 20),
  REQ_ALTERNATE_PACKET_RATE(CmKind.REQ, 135, 2, 6),
  REQ_ALTERNATE_TRAFFIC_CLASS(CmKind.REQ, 136, 0, 8),
  REQ_ALTERNATE_HOP_LIMIT(CmKind.REQ, 137, 0, 8),
  REQ_ALTERNATE_SL(CmKind.REQ, 138, 0, 4),
  REQ_ALTERNATE_SUBNET_LOCAL(CmKind.REQ, 138, 4, 1),
  REQ_ALTERNATE_LOCAL_ACK_TIMEOUT(CmKind.REQ, 139, 0, 5),
  REQ_PRIVATE_DATA(CmKind.REQ, 140, 0, 92 * 8),

  // Message receipt acknowledgement: first byte, first bit (0 is the highest), length in bits.
  MRA_LOCAL_COMM_ID(CmKind.MRA, 0, 0, 32),
  MRA_REMOTE_COMM_ID(CmKind.MRA, 4, 0, 32),
  MRA_MESSAGE_MRAED(CmKind.MRA, 8, 0, 2),
  MRA_SERVICE_TIMEOUT(CmKind.MRA, 9, 0, 5),
  MRA_PRIVATE_DATA(CmKind.MRA, 10, 0, 222 * 8),

  // Reject: first byte, first bit (0 is the highest), length in bits.
  REJ_LOCAL_COMM_ID(CmKind.REJ, 0, 0, 32),
  REJ_REMOTE_COMM_ID(CmKind.REJ, 4, 0, 32),
  REJ_MESSAGE_REJECTED(CmKind.REJ, 8, 0, 2),
  REJ_REJECT_INFO_LENGTH(CmKind.REJ, 9, 0, 7),
  REJ_REASON(CmKind.REJ, 10, 0, 16),
  REJ_ADDITIONAL_REJECT_INFO(CmKind.REJ, 12, 0, 72 * 8),
  REJ_PRIVATE_DATA(CmKind.REJ, 84, 0, 148 * 8),

  // Reply to a request: first byte, first bit (0 is the highest), length in bits.
  REP_LOCAL_COMM_ID(CmKind.REP, 0, 0, 32),
  REP_REMOTE_COMM_ID(CmKind.REP, 4, 0, 32),
  REP_LOCAL_QKEY(CmKind.REP, 8, 0, 32),
  REP_LOCAL_QPN(CmKind.REP, 12, 0, 24),
  REP_VENDOR_ID_HIGH(CmKind.REP, 15, 0, 8),
  REP_LOCAL_EECN(CmKind.REP, 16, 0, 24),
  REP_VENDOR_ID_MIDDLE(CmKind.REP, 19, 0, 8),
  REP_STARTING_PSN(CmKind.REP, 20, 0, 24),
  REP_VENDOR_ID_LOW(CmKind.REP, 23, 0, 8),
  REP_RESPONDER_RESOURCES(CmKind.REP, 24, 0, 8),
  REP_INITIATOR_DEPTH(CmKind.REP, 25, 0, 8),
  REP_TARGET_ACK_DELAY(CmKind.REP, 26, 0, 5),
  REP_FAILOVER_ACCEPTED(CmKind.REP, 26, 5, 2),
  REP_END_TO_END_FLOW_CONTROL(CmKind.REP, 26, 7, 1),
  REP_RNR_RETRY_COUNT(CmKind.REP, 27, 0, 3),
  REP_SRQ(CmKind.REP, 27, 3, 1),
  REP_LOCAL_CA_GUID(CmKind.REP, 28, 0, 64),
  REP_PRIVATE_DATA(CmKind.REP, 36, 0, 196 * 8),

  // Ready to use: first byte, first bit (0 is the highest), length in bits.
  RTU_LOCAL_COMM_ID(CmKind.RTU, 0, 0, 32),
  RTU_REMOTE_COMM_ID(CmKind.RTU, 4, 0, 32),
  RTU_PRIVATE_DATA(CmKind.RTU, 8, 0, 224 * 8),

  // Request for release: first byte, first bit (0 is the highest), length in bits.
  DREQ_LOCAL_COMM_ID(CmKind.DREQ, 0, 0, 32),
  DREQ_REMOTE_COMM_ID(CmKind.DREQ, 4, 0, 32),
  DREQ_REMOTE_QPN(CmKind.DREQ, 8, 0, 24),
  DREQ_PRIVATE_DATA(CmKind.DREQ, 12, 0, 220 * 8),

  // Reply to a request for release: first byte, first bit (0 is the highest), length in bits.
  DREP_LOCAL_COMM_ID(CmKind.DREP, 0, 0, 32),
  DREP_REMOTE_COMM_ID(CmKind.DREP, 4, 0, 32),
  DREP_PRIVATE_DATA(CmKind.DREP, 8, 0, 224 * 8),

  // Service ID resolution request: first byte, first bit (0 is the highest), length in bits.
  SIDR_REQ_REQUEST_ID(CmKind.SIDR_REQ, 0, 0, 32),
  SIDR_REQ_PKEY(CmKind.SIDR_REQ, 4, 0, 16),
  SIDR_REQ_SERVICE_ID(CmKind.SIDR_REQ, 8, 0, 64),
  SIDR_REQ_PRIVATE_DATA(CmKind.SIDR_REQ, 16, 0, 216 * 8),

  // Service ID resolution response: first byte, first bit (0 is the highest), length in bits.
  SIDR_REP_REQUEST_ID(CmKind.SIDR_REP, 0, 0, 32),
  SIDR_REP_STATUS(CmKind.SIDR_REP, 4, 0, 8),
  SIDR_REP_ADDITIONAL_INFO_LENGTH(CmKind.SIDR_REP, 5, 0, 8),
  SIDR_REP_VENDOR_ID_HIGH(CmKind.SIDR_REP, 6, 0, 16),
  SIDR_REP_QPN(CmKind.SIDR_REP, 8, 0, 24),
  SIDR_REP_VENDOR_ID_LOW(CmKind.SIDR_REP, 11, 0, 8),
  SIDR_REP_SERVICE_ID(CmKind.SIDR_REP, 12, 0, 64),
  SIDR_REP_QKEY(CmKind.SIDR_REP, 20, 0, 32),
  SIDR_REP_ADDITIONAL_INFO(CmKind.SIDR_REP, 24, 0, 72 * 8),
  SIDR_REP_PRIVATE_DATA(CmKind.SIDR_REP, 96, 0, 136 * 8),

  // Load alternate path: first byte, first bit (0 is the highest), length in bits.
  LAP_LOCAL_COMM_ID(CmKind.LAP, 0, 0, 32),
  LAP_REMOTE_COMM_ID(CmKind.LAP, 4, 0, 32),
  LAP_REMOTE_QPN(CmKind.LAP, 12, 0, 24),
  LAP_REMOTE_CM_RESPONSE_TIMEOUT(CmKind.LAP, 15, 0, 5),
  LAP_ALTERNATE_LOCAL_LID(CmKind.LAP, 20, 0, 16),
  LAP_ALTERNATE_REMOTE_LID(CmKind.LAP, 22, 0, 16),
  LAP_ALTERNATE_LOCAL_GID(CmKind.LAP, 24, 0, 128),
  LAP_ALTERNATE_REMOTE_GID(CmKind.LAP, 40, 0, 128),
  LAP_ALTERNATE_FLOW_LABEL(CmKind.LAP, 56, 0, 20),
  LAP_ALTERNATE_TRAFFIC_CLASS(CmKind.LAP, 59, 0, 8),
  LAP_ALTERNATE_HOP_LIMIT(CmKind.LAP, 60, 0, 8),
  LAP_ALTERNATE_PACKET_RATE(CmKind.LAP, 61, 2, 6),
  LAP_ALTERNATE_SL(CmKind.LAP, 62, 0, 4),
  LAP_ALTERNATE_SUBNET_LOCAL(CmKind.LAP, 62, 4, 1),
  LAP_ALTERNATE_LOCAL_ACK_TIMEOUT(CmKind.LAP, 63, 0, 5),
  LAP_PRIVATE_DATA(CmKind.LAP, 64, 0, 168 * 8),

  // Alternate path response: first byte, first bit (0 is the highest), length in bits.
  APR_LOCAL_COMM_ID(CmKind.APR, 0, 0, 32),
  APR_REMOTE_COMM_ID(CmKind.APR, 4, 0, 32),
  APR_ADDITIONAL_INFO_LENGTH(CmKind.APR, 8, 0, 8),
  APR_AP_STATUS(CmKind.APR, 9, 0, 8),
  APR_ADDITIONAL_INFO(CmKind.APR, 12, 0, 72 * 8),
  APR_PRIVATE_DATA(CmKind.APR, 84, 0, 148 * 8);

  private static final int ADDRESS_BITS = 128;

  private final @Nullable CmKind cmKind;
  private final int firstByte;
  private final int firstBit;
  private final int bits;

  CmField(@Nullable CmKind cmKind, int firstByte, int firstBit, int bits) {
    this.cmKind = cmKind;
    this.firstByte = firstByte;
    this.firstBit = firstBit;
    this.bits = bits;
  }

  /** Fields of a message in their order; those of the MAD header for null. */
  public static List<CmField> of(@Nullable CmKind cmKind) {
    return cmKind == null ? Tables.HEADER : Tables.MESSAGES.get(cmKind);
  }

  private static final class Tables {
    private static final List<CmField> HEADER = listOf(null);
    private static final Map<CmKind, List<CmField>> MESSAGES = new EnumMap<>(CmKind.class);

    static {
      for (CmKind kind : CmKind.values()) {
        MESSAGES.put(kind, listOf(kind));
      }
    }

    private static List<CmField> listOf(@Nullable CmKind cmKind) {
      return Arrays.stream(values()).filter(field -> field.cmKind == cmKind).toList();
    }
  }

  /** Message that has the field; null for the MAD header. */
  public @Nullable CmKind message() {
    return cmKind;
  }

  /** First byte of the field, from the end of the MAD header; of that header, from its start. */
  public int firstByte() {
    return firstByte;
  }

  /** First bit of the field in its first byte; 0 is the highest. */
  public int firstBit() {
    return firstBit;
  }

  public int bits() {
    return bits;
  }

  public int bytes() {
    return bits / Byte.SIZE;
  }

  /** Whether the field is a number of 1 to 64 bits, and not a GID or plain bytes. */
  public boolean isNumber() {
    return bits <= Long.SIZE;
  }

  public boolean isGid() {
    return bits == ADDRESS_BITS;
  }

  /** Name of the field in reports: that of the constant without the message, in lower case. */
  public String label() {
    String prefix = cmKind == null ? "MAD" : cmKind.name();
    return name().substring(prefix.length() + 1).toLowerCase(Locale.ROOT);
  }

  /** Number in a MAD that begins at index 0; compare 64 bits as unsigned. */
  public long longIn(ByteBuffer mad) {
    assert isNumber() : this;
    int at = firstByteInMad();
    int end = firstBit + bits;
    long value = 0;
    for (int bit = 0; bit < end; bit += Byte.SIZE, at++) {
      int octet = Byte.toUnsignedInt(mad.get(at));
      octet &= bit == 0 ? 0xff >> firstBit : 0xff;
      int unused = Math.max(0, bit + Byte.SIZE - end);
      value = value << (Byte.SIZE - unused) | octet >> unused;
    }
    return value;
  }

  /** Writes the lowest {@link #bits()} bits of a number. */
  public void put(ByteBuffer mad, long value) {
    assert isNumber() : this;
    int end = firstBit + bits;
    int unused = -end & (Byte.SIZE - 1);
    long places = mask() << unused;
    long rest = (value & mask()) << unused;
    int last = firstByteInMad() + (end - 1) / Byte.SIZE;
    for (int at = last; at >= firstByteInMad(); at--, rest >>>= Byte.SIZE, places >>>= Byte.SIZE) {
      mad.put(at, (byte) ((mad.get(at) & ~places) | (rest & 0xff)));
    }
  }

  /** Whether a number fits into the field; for 32 bits it may be a negative int. */
  boolean fits(long value) {
    boolean isInt = (int) value == value;
    return (value & mask()) == value || (bits == Integer.SIZE && isInt);
  }

  /** Largest number of the field: all bits set, so negative if it has 64 bits. */
  private long mask() {
    return -1L >>> (Long.SIZE - bits);
  }

  /** GID in a MAD that begins at index 0. */
  public Gid gidIn(ByteBuffer mad) {
    assert isGid() : this;
    return new Gid(mad.getLong(firstByteInMad()), mad.getLong(firstByteInMad() + Long.BYTES));
  }

  void put(ByteBuffer mad, Gid gid) {
    assert isGid() : this;
    mad.putLong(firstByteInMad(), gid.subnetPrefix());
    mad.putLong(firstByteInMad() + Long.BYTES, gid.interfaceId());
  }

  /** All bytes of the field in a MAD that begins at index 0. */
  public ImmutableBytes bytesIn(ByteBuffer mad) {
    return ImmutableBytes.of(mad, firstByteInMad(), bytes());
  }

  /** Writes bytes, which must not be longer than the field, and zeros up to its end. */
  void put(ByteBuffer mad, ImmutableBytes bytes) {
    bytes.padded(bytes()).copyTo(mad, firstByteInMad());
  }

  /** Copies the field from one MAD to another. */
  void copy(ByteBuffer from, ByteBuffer to) {
    if (isNumber()) {
      put(to, longIn(from));
    } else {
      to.put(firstByteInMad(), from, firstByteInMad(), bytes());
    }
  }

  private int firstByteInMad() {
    return cmKind == null ? firstByte : MadHeader.BYTES + firstByte;
  }
}
