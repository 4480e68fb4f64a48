// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.DecodeResult;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.MadPayload;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.PayloadRule;
import io.queuepair.emulator.wire.RnrTimer;
import io.queuepair.emulator.wire.Route;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Text about a packet in a line of a ladder, worded for people who learn the protocol. */
final class LadderText {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final PacketCodec codec = new PacketCodec();

  public String of(Packet packet) {
    StringBuilder line = new StringBuilder(96);
    addTransport(packet.bth(), line);
    for (ExtensionHeader extension : packet.extensions()) {
      String words =
          extension instanceof Aeth aeth
              ? verdict(aeth) + " msn=" + aeth.msn()
              : extension.toString();
      line.append(' ').append(words);
    }
    if (packet.opcode().payloadRule() != PayloadRule.NONE) {
      line.append(' ').append(packet.payloadBytes()).append(" bytes");
    }
    String message = messageIn(packet);
    if (message != null) {
      line.append(", ").append(message);
    }
    return line.toString();
  }

  /** Text of the MAD in a packet, such as {@code CM RTU local=0x1}; null without one. */
  public @Nullable String messageIn(Packet packet) {
    MadPayload mad = MadPayload.in(packet);
    return mad == null ? null : mad.toString();
  }

  /** Text of the MAD in a datagram of any content; null without one. */
  public @Nullable String messageIn(Route route, Payload payload) {
    DecodeResult result =
        codec.decodeUnchecked(route, payload.buffer(), payload.offset(), payload.length());
    return result instanceof Packet packet ? messageIn(packet) : null;
  }

  /** Text about a datagram, with the reason if it will be dropped as invalid. */
  public String of(Route route, Payload payload) {
    DecodeResult decoded =
        codec.decode(route, payload.buffer(), payload.offset(), payload.length());
    if (decoded instanceof Packet packet) {
      return of(packet);
    }
    DecodeResult result =
        codec.decodeUnchecked(route, payload.buffer(), payload.offset(), payload.length());
    String what =
        result instanceof Packet packet ? of(packet) : "datagram of " + payload.length() + " bytes";
    return what + ", invalid: " + ((DropReason) decoded).text();
  }

  /** Adds the BTH; P_Key and flags only if they are not the usual ones. */
  private static void addTransport(Bth bth, StringBuilder line) {
    line.append(bth.opcode());
    line.append(String.format(Locale.ROOT, " qp=0x%06x psn=%d", bth.destQpn(), bth.psn()));
    if (bth.pkey() != PartitionKey.DEFAULT) {
      line.append(String.format(Locale.ROOT, " pkey=0x%04x", bth.pkey()));
    }
    line.append(bth.solicited() ? " solicited" : "").append(bth.migrated() ? " migrated" : "");
    line.append(bth.fecn() ? " fecn" : "").append(bth.becn() ? " becn" : "");
    line.append(bth.ackRequest() ? " ackreq" : "");
  }

  /** Text of an acknowledgement, such as {@code NAK remote access error}. */
  public static String verdict(Aeth aeth) {
    if (aeth.isAck()) {
      boolean isUnlimited = aeth.creditCode() == Aeth.UNLIMITED_CREDITS;
      return isUnlimited ? "ACK" : "ACK credits=" + aeth.creditCode();
    }
    if (aeth.isRnrNak()) {
      double millis = (double) RnrTimer.nanos(aeth.rnrTimerCode()) / NANOS_PER_MILLI;
      return String.format(Locale.ROOT, "RNR NAK %.2f ms", millis);
    }
    if (aeth.isNak() && aeth.nakCode() != null) {
      return "NAK " + words(aeth.nakCode());
    }
    return String.format(Locale.ROOT, "reserved syndrome 0x%02x", aeth.syndrome());
  }

  private static String words(NakCode code) {
    return switch (code) {
      case PSN_SEQUENCE_ERROR -> "PSN sequence error";
      case INVALID_REQUEST -> "invalid request";
      case REMOTE_ACCESS_ERROR -> "remote access error";
      case REMOTE_OPERATIONAL_ERROR -> "remote operational error";
      case INVALID_RD_REQUEST -> "invalid RD request";
    };
  }
}
