// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Message of the communication manager: a management datagram with the fields that {@link CmField}
 * lists for its kind and for the header. Fields are set before a message is sent, and not changed
 * afterwards. Reserved bits are zero.
 */
public final class CmMessage implements DecodedMad {
  private static final int VENDOR_ID_BITS = 24;

  /** Fields of the vendor ID by message, the most significant first. */
  private static final Map<CmKind, List<CmField>> VENDOR_ID_FIELDS = new EnumMap<>(CmKind.class);

  /** Mask of the bits of a MAD that are not reserved, by message. */
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

  /** Creates a message whose fields are zero, except those of the header that give its kind. */
  public static CmMessage of(CmKind kind) {
    ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    MadHeader.write(mad, kind, 0);
    return new CmMessage(kind, mad);
  }

  /** Creates a message with both communication IDs: not a REQ, SIDR_REQ or SIDR_REP. */
  public static CmMessage of(CmKind kind, int localCommId, int remoteCommId) {
    CmMessage message = of(kind);
    return message
        .set(message.localCommIdField(), localCommId)
        .set(message.remoteCommIdField(), remoteCommId);
  }

  /** Decodes a payload to a message, which is a copy, or to the reason why it is none. */
  public static DecodedMad decode(Payload payload) {
    if (payload.length() != MadHeader.MAD_BYTES) {
      return MadRefusal.WRONG_LENGTH;
    }
    ByteBuffer mad = payload.buffer().slice(payload.offset(), payload.length());
    MadRefusal refusal = MadRefusal.of(mad);
    return refusal == null ? read(mad) : refusal;
  }

  /** Copies a message from a MAD that begins at index 0. */
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

  /** Copy of the message, whose fields can be set. */
  public CmMessage copy() {
    return read(mad);
  }

  public CmKind kind() {
    return kind;
  }

  /** Number in a field, unsigned. */
  public long get(CmField field) {
    return at(field).longIn(mad);
  }

  /** Number in a field of at most 32 bits. */
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

  /** All bytes of a field, including zeros at its end. */
  public ImmutableBytes getBytes(CmField field) {
    return at(field).bytesIn(mad);
  }

  /** Sets a number, which must fit into the field. */
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

  /** Sets bytes, which must fit into the field, and zeros up to its end. */
  public CmMessage set(CmField field, ImmutableBytes bytes) {
    at(field).put(mad, bytes);
    return this;
  }

  private CmField at(CmField field) {
    assert field.message() == null || field.message() == kind : field + " in " + kind;
    return field;
  }

  /** Transaction ID of the MAD, which an answer repeats. */
  public long transactionId() {
    return get(CmField.MAD_TRANSACTION_ID);
  }

  /** Options of enhanced connection establishment (ECE); 0 for none. */
  public int eceOptions() {
    return getInt(CmField.MAD_ATTRIBUTE_MODIFIER);
  }

  /** Communication ID of the sender, or request ID of a service ID resolution. */
  public int localCommId() {
    return getInt(localCommIdField());
  }

  /** Communication ID of the receiver; not in REQ, SIDR_REQ and SIDR_REP. */
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

  /** Service ID that a REQ or a SIDR_REQ asks for. */
  public long serviceId() {
    return get(kind == CmKind.REQ ? CmField.REQ_SERVICE_ID : CmField.SIDR_REQ_SERVICE_ID);
  }

  /** Private data of the program, with zeros up to the end of the field. */
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

  /** Vendor ID of ECE in a REQ, REP or SIDR_REP: 24 bits in up to three fields, or 0. */
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

  /** Transport service that a REQ asks for. */
  public TransportService transportService() {
    return TransportService.ofCode(getInt(CmField.REQ_TRANSPORT_SERVICE_TYPE));
  }

  /** Whether a REQ comes from an XRC initiator, which asks for an XRC target. */
  public boolean isXrc() {
    return transportService() == TransportService.EXTENDED
        && getInt(CmField.REQ_EXTENDED_TRANSPORT_TYPE) == TransportService.XRC;
  }

  /** QPN of the sender of a REP; that of an XRC target is elsewhere ({@code cm_rep_get_qpn}). */
  public int repQpn(boolean isXrc) {
    return getInt(isXrc ? CmField.REP_LOCAL_EECN : CmField.REP_LOCAL_QPN);
  }

  /** Message that an MRA or a REJ answers. */
  public AnsweredMessage answered() {
    return AnsweredMessage.ofCode(
        getInt(kind == CmKind.MRA ? CmField.MRA_MESSAGE_MRAED : CmField.REJ_MESSAGE_REJECTED));
  }

  /** Additional information of a REJ, up to 72 bytes: for reason Timeout the CA GUID. */
  public ImmutableBytes rejectInfo() {
    ImmutableBytes infoBytes = getBytes(CmField.REJ_ADDITIONAL_REJECT_INFO);
    return infoBytes.first(Math.min(getInt(CmField.REJ_REJECT_INFO_LENGTH), infoBytes.length()));
  }

  public CmMessage setRejectInfo(ImmutableBytes infoBytes) {
    return set(CmField.REJ_REJECT_INFO_LENGTH, infoBytes.length())
        .set(CmField.REJ_ADDITIONAL_REJECT_INFO, infoBytes);
  }

  /** Code of the path MTU that the sender of a REJ accepts; 0 if it names none. */
  public int acceptableMtu() {
    boolean isOfMtu = getInt(CmField.REJ_REASON) == RejectReason.INVALID_MTU.code();
    ImmutableBytes infoBytes = rejectInfo();
    return isOfMtu && infoBytes.length() > 0 ? infoBytes.toArray()[0] : 0;
  }

  /** Copy of the {@value MadHeader#MAD_BYTES} bytes. */
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

  /** Text of the message in a ladder. */
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

  /** IP addresses, if any, and the length of the private data without zeros at its end. */
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
