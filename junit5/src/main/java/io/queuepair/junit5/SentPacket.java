// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.observe.PacketRecord;
import java.util.Locale;

/**
 * A packet that a queue pair has sent.
 *
 * @param opcode such as {@code RC_RDMA_WRITE_FIRST}
 * @param verdict meaning of an acknowledgement, such as {@code NAK remote access error}; else empty
 * @param psn its packet sequence number
 * @param isRetransmission whether it was sent again because no answer came
 */
record SentPacket(String opcode, String verdict, int psn, boolean isRetransmission) {
  private static final String RDMA = "RDMA_";
  private static final String ACKNOWLEDGE = "ACKNOWLEDGE";
  private static final String SENT_AGAIN = "sent again";

  static SentPacket of(PacketRecord packet) {
    return new SentPacket(
        String.valueOf(packet.fields().get("opcode")),
        String.valueOf(packet.fields().getOrDefault("verdict", "")),
        ((Number) packet.fields().get("psn")).intValue(),
        packet.comments().stream().anyMatch(comment -> comment.contains(SENT_AGAIN)));
  }

  /** Whether it has a name that plans give to single packets and acknowledgements. */
  boolean isNamed(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    return name.equals(opcode)
        || name.equals(withoutService())
        || name.equals(shortName())
        || (isAcknowledge() && name.equals(acknowledgement()));
  }

  boolean isFirstTransmission() {
    return !isRetransmission;
  }

  /** Whether an equal packet was sent separately, instead of duplicated by a fault plan. */
  boolean mayRepeat() {
    return isRetransmission || isAcknowledge();
  }

  private boolean isAcknowledge() {
    return withoutService().equals(ACKNOWLEDGE);
  }

  private String acknowledgement() {
    if (verdict.startsWith("RNR NAK")) {
      return "RNR_NAK";
    }
    return verdict.startsWith("NAK") ? "NAK" : "ACK";
  }

  private String withoutService() {
    return opcode.substring(opcode.indexOf('_') + 1);
  }

  private String shortName() {
    String name = withoutService();
    return name.startsWith(RDMA) ? name.substring(RDMA.length()) : name;
  }

  @Override
  public String toString() {
    String name = isAcknowledge() ? acknowledgement() : shortName();
    String detail = isAcknowledge() && !name.equals("ACK") ? " (" + verdict + ")" : "";
    return name + " psn=" + psn + detail;
  }
}
