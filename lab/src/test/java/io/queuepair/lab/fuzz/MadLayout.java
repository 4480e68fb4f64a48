// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.MadPayload;
import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the fields of a message of the connection manager are in its management datagram.
 *
 * @param attributeId which message it is
 * @param name of the message, such as {@code REQ}
 * @param fields first byte of each field from the beginning of the datagram, by the name that
 *     {@code decode --json} has after {@code cm_}
 */
record MadLayout(int attributeId, String name, Map<String, Integer> fields) {
  /** Bytes of every management datagram. */
  static final int BYTES = MadHeader.MAD_BYTES;

  /** Bytes of the header that all of them begin with. */
  static final int HEADER_BYTES = MadHeader.BYTES;

  private static final List<MadLayout> ALL = all(CmKind.values());

  /** The layouts of all messages, in the order of their attributes. */
  static List<MadLayout> all() {
    return ALL;
  }

  private static List<MadLayout> all(CmKind... kinds) {
    List<MadLayout> layouts = new ArrayList<>();
    for (CmKind kind : kinds) {
      Map<String, Integer> fields = new LinkedHashMap<>();
      for (CmField field : CmField.of(kind)) {
        fields.put(field.label(), MadHeader.BYTES + field.firstByte());
      }
      layouts.add(
          new MadLayout(kind.attributeId(), kind.name(), Collections.unmodifiableMap(fields)));
    }
    return List.copyOf(layouts);
  }

  /** Writes the header of the message, and no field of it; the position stays. */
  void writeHeader(ByteBuffer mad, long transactionId) {
    ByteBuffer header = mad.slice(mad.position(), HEADER_BYTES);
    for (int at = 0; at < HEADER_BYTES; at += Long.BYTES) {
      header.putLong(at, 0);
    }
    MadHeader.write(header, CmKind.ofAttribute(attributeId), transactionId);
  }

  /** Fields of a management datagram by name; empty if it has another length. */
  static Map<String, Object> fieldsOf(byte[] mad) {
    MadPayload payload = MadPayload.of(Payload.of(mad));
    return payload == null ? Map.of() : payload.fields();
  }

  /** Decodes a message and encodes it again; empty if it cannot be decoded. */
  static Optional<byte[]> reencoded(byte[] mad) {
    return CmMessage.decode(Payload.of(mad)) instanceof CmMessage message
        ? Optional.of(message.toBytes())
        : Optional.empty();
  }
}
