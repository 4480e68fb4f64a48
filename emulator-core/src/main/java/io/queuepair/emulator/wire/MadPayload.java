// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * View of the management datagram in a packet for queue pair 1, with its fields as they arrived.
 * {@code toString} is its part of a line in a ladder.
 */
public final class MadPayload {
  private static final int GSI_QPN = 1;

  private final ByteBuffer mad;
  private final @Nullable MadRefusal refusal;

  private MadPayload(ByteBuffer mad) {
    this.mad = mad;
    refusal = MadRefusal.of(mad);
  }

  /** Whether a packet is a datagram to queue pair 1, whatever it contains. */
  public static boolean isForGsi(Packet packet) {
    return packet.destQpn() == GSI_QPN && packet.opcode() == Opcode.UD_SEND_ONLY;
  }

  /** Management datagram of a packet; null if it is not for queue pair 1, or no MAD by length. */
  public static @Nullable MadPayload in(Packet packet) {
    return isForGsi(packet) ? of(packet.payload()) : null;
  }

  /** View of a management datagram; null if the length is wrong. */
  public static @Nullable MadPayload of(Payload payload) {
    return payload.length() == MadHeader.MAD_BYTES
        ? new MadPayload(payload.buffer().slice(payload.offset(), payload.length()))
        : null;
  }

  /** Kind of the message of the communication manager; null if it is none. */
  public @Nullable CmKind kind() {
    return refusal == null ? CmKind.ofAttribute((int) of(CmField.MAD_ATTRIBUTE_ID)) : null;
  }

  boolean has(CmField field) {
    return field.message() == null || field.message() == kind();
  }

  long of(CmField field) {
    return field.longIn(mad);
  }

  /** Copies the packet that has this MAD as payload, and sets one field of the copy. */
  Packet with(Packet packet, CmField field, long value) {
    Payload changedPayload = packet.payload().copy();
    field.put(changedPayload.buffer(), value);
    return new Packet(
        packet.route(), packet.bth(), packet.extensions(), changedPayload, packet.note());
  }

  /**
   * All fields by name, for programs: names of header fields begin with {@code mad_}, names of
   * message fields with {@code cm_}. Identifiers and keys are hexadecimal text; so are bytes,
   * without the zeros at their end.
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    CmField.of(null).forEach(field -> fields.put(MadField.nameOf(field), valueOf(field)));
    CmKind kind = kind();
    if (kind != null) {
      fields.put("cm", kind.name());
      CmField.of(kind).forEach(field -> fields.put(MadField.nameOf(field), valueOf(field)));
      addMeanings(fields, CmMessage.read(mad));
    } else if (isOfCm()) {
      fields.put("cm_invalid", refusal.text());
    }
    return fields;
  }

  private boolean isOfCm() {
    return refusal != MadRefusal.OTHER_CLASS && refusal != MadRefusal.UNKNOWN_BASE_VERSION;
  }

  private Object valueOf(CmField field) {
    if (field.isGid()) {
      return field.gidIn(mad).toString();
    }
    if (!field.isNumber()) {
      return significant(field.bytesIn(mad));
    }
    long value = field.longIn(mad);
    if (field.bits() < Integer.SIZE) {
      return value;
    }
    return String.format(Locale.ROOT, "0x%0" + field.bits() / 4 + "x", value);
  }

  private static String significant(ImmutableBytes bytes) {
    return bytes.first(bytes.significantLength()).toString();
  }

  private static void addMeanings(Map<String, Object> fields, CmMessage message) {
    switch (message.kind()) {
      case REQ, SIDR_REQ -> addAddresses(fields, message.serviceId(), message.privateData());
      case REJ ->
          fields.put("cm_reason_text", RejectReason.textOf(message.getInt(CmField.REJ_REASON)));
      case SIDR_REP ->
          fields.put("cm_status_text", SidrStatus.textOf(message.getInt(CmField.SIDR_REP_STATUS)));
      case MRA, REP, RTU, DREQ, DREP, LAP, APR -> {}
    }
  }

  private static void addAddresses(Map<String, Object> fields, long service, ImmutableBytes bytes) {
    if (!CmaHeader.isExpectedFor(service)) {
      return;
    }
    CmaHeader cma = CmaHeader.read(bytes);
    fields.put("cm_ip_cm_version", cma.version());
    fields.put("cm_ip_version", cma.ipVersion());
    fields.put("cm_ip_source_port", cma.sourcePort());
    if (cma.hasIpAddresses()) {
      fields.put("cm_ip_source", cma.sourceAddress().getHostAddress());
      fields.put("cm_ip_destination", cma.destinationAddress().getHostAddress());
    }
    fields.put("cm_ip_private_data", significant(CmaHeader.userBytes(bytes)));
  }

  @Override
  public String toString() {
    if (kind() != null) {
      return CmMessage.read(mad).toString();
    }
    String words =
        String.format(
            Locale.ROOT,
            "MAD class=0x%02x method=0x%02x attribute=0x%04x",
            of(CmField.MAD_MGMT_CLASS),
            of(CmField.MAD_METHOD),
            of(CmField.MAD_ATTRIBUTE_ID));
    return isOfCm() ? words + ", no CM message: " + refusal.text() : words;
  }
}
