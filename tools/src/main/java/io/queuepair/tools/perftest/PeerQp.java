// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.PrintableText;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where one queue pair is, as it tells the peer. Over TCP that is text: numbers in hexadecimal with
 * leading zeros, separated by colons, and a NUL.
 *
 * @param outReads READs and atomics outstanding that it can answer
 * @param qpn queue pair number
 * @param psn first packet sequence number it sends
 * @param rkey key of the memory that the peer may use
 * @param vaddr address of that memory
 * @param gid its GID
 * @param srqn number of the shared receive queue of an extended connection, otherwise 0
 */
record PeerQp(int outReads, int qpn, int psn, int rkey, long vaddr, Gid gid, int srqn) {
  /** Before there are queue pairs. */
  static final PeerQp NONE = new PeerQp(0, 0, 0, 0, 0, Gid.ZERO, 0);

  /** 107 characters and the NUL. */
  static final int MESSAGE_BYTES = 108;

  private static final int HEX = 16;
  private static final int GID_BYTES = 16;
  private static final int FIRST_OF_GID = 6;
  private static final int FIELDS = FIRST_OF_GID + GID_BYTES + 1;

  /** The LID is that of other networks: 0. */
  byte[] toMessage() {
    String text =
        String.format(
            "%04x:%04x:%06x:%06x:%08x:%016x:%s:%08x:\0",
            0, outReads, qpn, psn, rkey, vaddr, gidFields("%02x"), srqn);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Understands what a peer sent.
   *
   * @throws CommandFailure if it is not such a text
   */
  static PeerQp ofMessage(byte[] message) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    String[] fields = text.split(":", -1);
    try {
      if (fields.length != FIELDS + 1) {
        throw new NumberFormatException("fields");
      }
      PeerQp peer =
          new PeerQp(
              Integer.parseUnsignedInt(fields[1], HEX),
              Integer.parseUnsignedInt(fields[2], HEX),
              Integer.parseUnsignedInt(fields[3], HEX),
              Integer.parseUnsignedInt(fields[4], HEX),
              Long.parseUnsignedLong(fields[5], HEX),
              gid(Arrays.copyOfRange(fields, FIRST_OF_GID, FIRST_OF_GID + GID_BYTES)),
              Integer.parseUnsignedInt(fields[FIRST_OF_GID + GID_BYTES], HEX));
      peer.check();
      return peer;
    } catch (NumberFormatException malformed) {
      throw new CommandFailure(
          "Couldn't read remote address: \""
              + PrintableText.printable(text)
              + "\" is not what perftest says of a queue pair",
          malformed);
    }
  }

  private static Gid gid(String[] fields) {
    byte[] bytes = new byte[GID_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseUnsignedInt(fields[i], HEX);
    }
    return Gid.ofBytes(bytes);
  }

  private void check() {
    if (gid.isZero()) {
      throw new CommandFailure(
          "Couldn't use remote address: it has no GID, which RoCE needs; start the peer with -x");
    }
  }

  /** The bytes of the GID, between colons. */
  private String gidFields(String format) {
    byte[] bytes = gid.toBytes();
    return IntStream.range(0, bytes.length)
        .mapToObj(i -> String.format(Locale.ROOT, format, Byte.toUnsignedInt(bytes[i])))
        .collect(Collectors.joining(":"));
  }

  /** The lines that perftest prints. */
  String describe(String side, PerftestOperation operation) {
    StringBuilder text = new StringBuilder();
    text.append(String.format(" %s address: LID 0000 QPN 0x%04x PSN 0x%06x", side, qpn, psn));
    if (operation == PerftestOperation.READ) {
      text.append(String.format(" OUT 0x%02x", outReads));
    }
    if (operation == PerftestOperation.READ || operation == PerftestOperation.WRITE) {
      text.append(String.format(" RKey 0x%06x VAddr 0x%014x", rkey, vaddr));
    }
    if (srqn != 0) {
      text.append(String.format(" SRQn %#08x", srqn));
    }
    return text + System.lineSeparator() + " GID: " + gidFields("%02d");
  }
}
