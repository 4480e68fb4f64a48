// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.observe.PacketRecord.Integrity;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.DecodeResult;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Makes records of captured datagrams. */
final class PacketDecoder {
  private final PacketCodec codec = new PacketCodec();
  private final LadderText text = new LadderText();

  PacketRecord decode(long frameNumber, CapturedFrame captured, EthernetFrame frame) {
    DecodedFields fields = finding(frame);
    Route route = frame.route();
    return new PacketRecord(
        frameNumber,
        captured.epochNanos(),
        route.source(),
        route.destination(),
        route.sourcePort(),
        frame.announcedBytes(),
        fields.integrity(),
        fields.fields(),
        fields.text(),
        fields.isReproduced(),
        captured.comments());
  }

  private record DecodedFields(
      Integrity integrity, Map<String, Object> fields, String text, boolean isReproduced) {}

  private DecodedFields finding(EthernetFrame frame) {
    if (!frame.isWhole()) {
      return malformed(frame, wordsOfMissing(frame));
    }
    DecodeResult decoded = codec.decode(frame);
    if (decoded instanceof Packet packet) {
      return new DecodedFields(
          Integrity.ICRC_OK,
          PacketFields.of(packet),
          text.of(packet),
          codec.reproduces(frame, packet));
    }
    DropReason reason = (DropReason) decoded;
    Payload payload = frame.udpPayload();
    DecodeResult result =
        codec.decodeUnchecked(frame.route(), payload.buffer(), payload.offset(), payload.length());
    if (result instanceof Packet packet) {
      return new DecodedFields(Integrity.ICRC_BAD, PacketFields.of(packet), text.of(packet), false);
    }
    return malformed(frame, reason.text());
  }

  private static String wordsOfMissing(EthernetFrame frame) {
    return frame.announcedBytes() < 0
        ? "The length in the UDP header is below that of the header itself."
        : "Only "
            + frame.udpPayload().length()
            + " of "
            + frame.announcedBytes()
            + " bytes are here.";
  }

  /** Describes an undecodable packet: by its BTH, if it has one. */
  private static DecodedFields malformed(EthernetFrame frame, String why) {
    Payload payload = frame.udpPayload();
    if (payload.length() < RoceV2.BTH_BYTES) {
      return new DecodedFields(Integrity.MALFORMED, Map.of(), "malformed: " + why, false);
    }
    int code = Bth.codeAt(payload.buffer(), payload.offset());
    int destQpn = Bth.destQpnAt(payload.buffer(), payload.offset());
    int psn = Bth.psnAt(payload.buffer(), payload.offset());
    Opcode opcode = Opcode.ofCode(code);
    String name = opcode == null ? "opcode" : opcode.toString();
    Map<String, Object> fields = new LinkedHashMap<>();
    if (opcode != null) {
      fields.put(PacketFields.OPCODE, name);
    }
    fields.put(PacketFields.OPCODE_VALUE, code);
    fields.put(PacketFields.QPN, destQpn);
    fields.put(PacketFields.PSN, psn);
    String bth =
        String.format(Locale.ROOT, "%s(0x%02x) qp=0x%06x psn=%d, ", name, code, destQpn, psn);
    return new DecodedFields(Integrity.MALFORMED, fields, bth + "malformed: " + why, false);
  }
}
