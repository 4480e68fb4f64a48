// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/**
 * A RoCEv2 packet of a {@link CaptureFile}, decoded.
 *
 * @param frameNumber number of its frame in the file, from 1
 * @param epochNanos when it was captured, nanoseconds since 1970; 0 if the file does not say
 * @param source address of the sender
 * @param destination address of the receiver
 * @param sourcePort UDP source port
 * @param length bytes from BTH to ICRC, as the UDP header announces them
 * @param integrity result of the check of its ICRC and lengths
 * @param fields the fields of its headers by name, in their order: numbers, booleans and text (keys
 *     and addresses in hexadecimal); empty if not even a BTH is there
 * @param text the same as one line of text, without addresses; also tells why it is malformed
 * @param isReproduced whether encoding it gives the same bytes: headers, pad and ICRC
 * @param comments comments of the file on its frame
 */
public record PacketRecord(
    long frameNumber,
    long epochNanos,
    InetAddress source,
    InetAddress destination,
    int sourcePort,
    int length,
    Integrity integrity,
    Map<String, Object> fields,
    String text,
    boolean isReproduced,
    List<String> comments) {
  /** Result of the check of the ICRC. */
  public enum Integrity {
    /** The ICRC matches the headers and the payload. */
    ICRC_OK,

    /**
     * The ICRC does not match: the packet was changed on its way, or its sender computes it
     * differently.
     */
    ICRC_BAD,

    /** The packet cannot be decoded: its opcode or its lengths are impossible, or it was cut. */
    MALFORMED
  }
}
