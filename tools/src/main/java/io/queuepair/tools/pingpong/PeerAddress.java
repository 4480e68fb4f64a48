package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where one side is, as it tells the other over TCP: the text {@code LID:QPN:PSN:GID}, all in
 * hexadecimal with leading zeros, and a NUL.
 *
 * @param lid local identifier, 0 on Ethernet
 * @param qpn queue pair number
 * @param psn first packet sequence number it sends
 * @param gid its GID
 */
record PeerAddress(int lid, int qpn, int psn, Gid gid) {
  /** What {@code sizeof} says in C: 51 characters and the NUL. */
  static final int MESSAGE_BYTES = 52;

  private static final Pattern MESSAGE =
      Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{16})([0-9a-f]{16})\0");

  /** QPs 0 and 1 belong to the management of the network. */
  private static final int FIRST_QPN = 2;

  private static final int HEX = 16;

  byte[] toMessage() {
    String text =
        String.format(
            "%04x:%06x:%06x:%016x%016x\0", lid, qpn, psn, gid.subnetPrefix(), gid.interfaceId());
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Understands what a peer sent.
   *
   * @throws CommandFailure if it is not such a text, or no RoCE device could be reached by it
   */
  static PeerAddress ofMessage(byte[] message) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    Matcher parts = MESSAGE.matcher(text);
    if (!parts.matches()) {
      throw new CommandFailure(
          "Couldn't read remote address: \"" + printable(text) + "\" is not LID:QPN:PSN:GID");
    }
    Gid gid =
        new Gid(
            Long.parseUnsignedLong(parts.group(4), HEX),
            Long.parseUnsignedLong(parts.group(5), HEX));
    PeerAddress peer = new PeerAddress(number(parts, 1), number(parts, 2), number(parts, 3), gid);
    peer.check();
    return peer;
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group), HEX);
  }

  private void check() {
    if (qpn < FIRST_QPN) {
      throw new CommandFailure("Couldn't use remote address: QPN " + qpn + " is no program's");
    }
    if (gid.isZero()) {
      throw new CommandFailure(
          "Couldn't use remote address: it has no GID, which RoCE needs; start the peer with -g");
    }
  }

  private static String printable(String text) {
    return text.replaceAll("[^ -~]", ".");
  }

  @Override
  public String toString() {
    return String.format(
        "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, qpn, psn, GidText.of(gid));
  }
}
