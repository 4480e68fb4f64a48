// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A message of the communication manager: a management datagram whose fields are those that {@link
 * CmField} has for the kind of the message, and for the header. Fields are set while a message is
 * made, and not changed after it was sent. Reserved bits are zero.
 */
public final class CmMessage implements DecodedMad {
  private static final int VENDOR_ID_BITS = 24;

  /** The fields of the vendor by message, the highest first. */
  private static final Map<CmKind, List<CmField>> VENDOR_ID_FIELDS = new EnumMap<>(CmKind.class);

  /** The bits of a MAD that are not reserved, by message. */
  private static final Map<CmKind, ByteBuffer> MASKS = new EnumMap<>(CmKind.class);

  static {
    for (CmKind kind : CmKind.values()) {
      VENDOR_ID_FIELDS.put(
          kind, CmField.of(kind).stream().filter(f -> f.label().startsWith("vendor_id")).toList());
      MASKS.put(kind, maskOf(kind));
    }
  }

  private final CmKind kind;
  private final ByteBuffer mad;

  private CmMessage(CmKind kind, ByteBuffer mad) {
    this.kind = kind;
    this.mad = mad;
  }

  /** A message whose fields are all zero, but for what the header says of the kind. */
  public static CmMessage of(CmKind kind) {
    ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    MadHeader.write(mad, kind, 0);
    return new CmMessage(kind, mad);
  }

  /** A message between two ends that are known; any but REQ, SIDR_REQ and SIDR_REP. */
  public static CmMessage of(CmKind kind, int localCommId, int remoteCommId) {
    CmMessage message = of(kind);
    return message
        .set(message.localCommIdField(), localCommId)
        .set(message.remoteCommIdField(), remoteCommId);
  }

  /** Decodes some bytes to a message, which is a copy, or to the reason why they are none. */
  public static DecodedMad decode(Payload payload) {
    if (payload.length() != MadHeader.MAD_BYTES) {
      return MadRefusal.WRONG_LENGTH;
    }
    ByteBuffer mad = payload.buffer().slice(payload.offset(), payload.length());
    MadRefusal refusal = MadRefusal.of(mad);
    return refusal == null ? read(mad) : refusal;
  }

  /** Copies a message out of a MAD that begins at index 0 and holds one. */
  static CmMessage read(ByteBuffer mad) {
    CmKind kind = CmKind.ofAttribute((int) CmField.MAD_ATTRIBUTE_ID.longIn(mad));
    ByteBuffer copy = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    ByteBuffer mask = MASKS.get(kind);
    for (int at = 0; at < MadHeader.MAD_BYTES; at += Long.BYTES) {
      copy.putLong(at, mad.getLong(at) & mask.getLong(at));
    }
    return new CmMessage(kind, copy);
  }

  private static ByteBuffer maskOf(CmKind kind) {
    byte[] ones = new byte[MadHeader.MAD_BYTES];
    Arrays.fill(ones, (byte) -1);
    ByteBuffer mask = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    CmField.of(null).forEach(field -> field.copy(ByteBuffer.wrap(ones), mask));
    CmField.of(kind).forEach(field -> field.copy(ByteBuffer.wrap(ones), mask));
    return mask;
  }

  /** A message with the same fields, of which others can be set. */
  public CmMessage copy() {
    return read(mad);
  }

  public CmKind kind() {
    return kind;
  }

  /** A number, unsigned. */
  public long get(CmField field) {
    return at(field).longIn(mad);
  }

  /** A number of 32 bits at most. */
  public int getInt(CmField field) {
    assert field.bits() <= Integer.SIZE : field;
    return (int) get(field);
  }

  public boolean isSet(CmField field) {
    return get(field) != 0;
  }

  public Gid getGid(CmField field) {
    return at(field).gidIn(mad);
  }

  /** All bytes of a field, with the zeros at its end. */
  public ImmutableBytes getBytes(CmField field) {
    return at(field).bytesIn(mad);
  }

  /** Sets a number, for which the field has room. */
  public CmMessage set(CmField field, long value) {
    assert field.fits(value) : field + " " + value;
    at(field).put(mad, value);
    return this;
  }

  public CmMessage set(CmField field, boolean value) {
    return set(field, value ? 1 : 0);
  }

  public CmMessage set(CmField field, Gid gid) {
    at(field).put(mad, gid);
    return this;
  }

  /** Sets bytes, and zeros behind them up to the end of the field, which has room for them. */
  public CmMessage set(CmField field, ImmutableBytes bytes) {
    at(field).put(mad, bytes);
    return this;
  }

  private CmField at(CmField field) {
    assert field.message() == null || field.message() == kind : field + " in " + kind;
    return field;
  }

  /** The transaction of the MAD, which an answer repeats. */
  public long transactionId() {
    return get(CmField.MAD_TRANSACTION_ID);
  }

  /** Options of enhanced connection establishment; 0 for none. */
  public int eceOptions() {
    return getInt(CmField.MAD_ATTRIBUTE_MODIFIER);
  }

  /** The number that the sender gives its end, or its request for a service ID resolution. */
  public int localCommId() {
    return getInt(localCommIdField());
  }

  /** The number that the receiver gives its end; not in REQ, SIDR_REQ and SIDR_REP. */
  public int remoteCommId() {
    return getInt(remoteCommIdField());
  }

  private CmField localCommIdField() {
    return CmField.of(kind).get(0);
  }

  private CmField remoteCommIdField() {
    CmField secondField = CmField.of(kind).get(1);
    assert secondField.label().equals("remote_comm_id") : kind;
    return secondField;
  }

  /** The service that a REQ or a SIDR_REQ asks for. */
  public long serviceId() {
    return get(kind == CmKind.REQ ? CmField.REQ_SERVICE_ID : CmField.SIDR_REQ_SERVICE_ID);
  }

  /** Private data of the program, continued with zeros to the end of the field. */
  public ImmutableBytes privateData() {
    return getBytes(privateDataField());
  }

  public CmMessage setPrivateData(ImmutableBytes bytes) {
    return set(privateDataField(), bytes);
  }

  private CmField privateDataField() {
    List<CmField> fields = CmField.of(kind);
    return fields.get(fields.size() - 1);
  }

  /**
   * The 24 bits of a REQ, a REP or a SIDR_REP, which are up to three fields; 0 without enhanced
   * connection establishment.
   */
  public int vendorId() {
    int id = 0;
    for (CmField field : VENDOR_ID_FIELDS.get(kind)) {
      id = id << field.bits() | getInt(field);
    }
    return id;
  }

  public CmMessage setVendorId(int id) {
    int unset = VENDOR_ID_BITS;
    for (CmField field : VENDOR_ID_FIELDS.get(kind)) {
      unset -= field.bits();
      field.put(mad, id >>> unset);
    }
    return this;
  }

  /** The transport service that a REQ asks for. */
  public TransportService transportService() {
    return TransportService.ofCode(getInt(CmField.REQ_TRANSPORT_SERVICE_TYPE));
  }

  /** Whether a REQ is that of an initiator of XRC, which asks for a target. */
  public boolean isXrc() {
    return transportService() == TransportService.EXTENDED
        && getInt(CmField.REQ_EXTENDED_TRANSPORT_TYPE) == TransportService.XRC;
  }

  /**
   * The queue pair of the sender of a REP. A target of XRC is named by the field of the end-to-end
   * context, as in {@code cm_rep_get_qpn} of Linux (IBA, annex A14).
   */
  public int repQpn(boolean isXrc) {
    return getInt(isXrc ? CmField.REP_LOCAL_EECN : CmField.REP_LOCAL_QPN);
  }

  /** The message that an MRA or a REJ answers. */
  public AnsweredMessage answered() {
    return AnsweredMessage.ofCode(
        getInt(kind == CmKind.MRA ? CmField.MRA_MESSAGE_MRAED : CmField.REJ_MESSAGE_REJECTED));
  }

  /** Up to 72 bytes that go with the reason of a REJ: for a timeout the CA GUID. */
  public ImmutableBytes rejectInfo() {
    ImmutableBytes infoBytes = getBytes(CmField.REJ_ADDITIONAL_REJECT_INFO);
    return infoBytes.first(Math.min(getInt(CmField.REJ_REJECT_INFO_LENGTH), infoBytes.length()));
  }

  public CmMessage setRejectInfo(ImmutableBytes infoBytes) {
    return set(CmField.REJ_REJECT_INFO_LENGTH, infoBytes.length())
        .set(CmField.REJ_ADDITIONAL_REJECT_INFO, infoBytes);
  }

  /** The path MTU, as a code, that the sender of a REJ says it takes; 0 if it says none. */
  public int acceptableMtu() {
    boolean isOfMtu = getInt(CmField.REJ_REASON) == RejectReason.INVALID_MTU.code();
    ImmutableBytes infoBytes = rejectInfo();
    return isOfMtu && infoBytes.length() > 0 ? infoBytes.toArray()[0] : 0;
  }

  /** The {@value MadHeader#MAD_BYTES} bytes, in an array of their own. */
  public byte[] toBytes() {
    byte[] bytes = new byte[MadHeader.MAD_BYTES];
    mad.get(0, bytes);
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CmMessage that && mad.equals(that.mad);
  }

  @Override
  public int hashCode() {
    return mad.hashCode();
  }

  /** The message as a ladder shows it. */
  @Override
  public String toString() {
    return "CM " + kind + names() + values() + data();
  }

  private String names() {
    return switch (kind) {
      case REQ -> String.format(" local=0x%08x", localCommId());
      case SIDR_REQ, SIDR_REP -> String.format(" id=0x%08x", localCommId());
      case MRA, REJ, REP, RTU, DREQ, DREP, LAP, APR ->
          String.format(" local=0x%08x remote=0x%08x", localCommId(), remoteCommId());
    };
  }

  private String values() {
    return switch (kind) {
      case REQ ->
          String.format(
              " service=0x%016x qpn=0x%06x psn=%d",
              serviceId(), get(CmField.REQ_LOCAL_QPN), get(CmField.REQ_STARTING_PSN));
      case REP ->
          String.format(
              " qpn=0x%06x psn=%d", get(CmField.REP_LOCAL_QPN), get(CmField.REP_STARTING_PSN));
      case MRA -> " of=" + answered() + " timeout=" + get(CmField.MRA_SERVICE_TIMEOUT);
      case REJ ->
          " of=" + answered() + " reason=" + RejectReason.textOf(getInt(CmField.REJ_REASON));
      case DREQ -> String.format(" qpn=0x%06x", get(CmField.DREQ_REMOTE_QPN));
      case SIDR_REQ -> String.format(" service=0x%016x", serviceId());
      case SIDR_REP ->
          String.format(
              " status=%s qpn=0x%06x qkey=0x%08x",
              SidrStatus.textOf(getInt(CmField.SIDR_REP_STATUS)),
              get(CmField.SIDR_REP_QPN),
              get(CmField.SIDR_REP_QKEY));
      case LAP -> String.format(" qpn=0x%06x", get(CmField.LAP_REMOTE_QPN));
      case APR -> " status=" + get(CmField.APR_AP_STATUS);
      case RTU, DREP -> "";
    };
  }

  /** Both addresses if there are any, and how long the private data is that is not zero. */
  private String data() {
    boolean isRequest = kind == CmKind.REQ || kind == CmKind.SIDR_REQ;
    ImmutableBytes data = privateData();
    if (isRequest && CmaHeader.isExpectedFor(serviceId())) {
      CmaHeader cma = CmaHeader.read(data);
      if (cma.hasIpAddresses()) {
        return cma.addresses() + lengthOf(CmaHeader.userBytes(data));
      }
    }
    return lengthOf(data);
  }

  private static String lengthOf(ImmutableBytes data) {
    int length = data.significantLength();
    return length == 0 ? "" : " private=" + length;
  }
}
