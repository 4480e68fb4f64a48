// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parsed line of a ladder diagram about a packet.
 *
 * @param time in microseconds
 * @param fault fault applied to the packet; empty if none was
 */
record LadderLine(
    String time, String source, String destination, String opcode, String fields, String fault) {
  /** Line of a packet; there may be spaces between host and arrow. */
  private static final Pattern PACKET =
      Pattern.compile(" *([0-9.]+) us  (\\S+) +(--->|<---) (\\S+) +(\\S+) ?(.*)");

  /** Note after the fields of a packet to which a fault was applied. */
  private static final Pattern FAULT =
      Pattern.compile(
          "(.*?), ((?:dropped|doubled|overtaken|late|corrupted|rewritten|answered|forged): .*)");

  private static final Pattern NUMBER = Pattern.compile("psn=[0-9]+");
  private static final Pattern MESSAGE = Pattern.compile("(?<=, )CM [A-Z_]+");
  private static final Pattern ANSWER =
      Pattern.compile("(?<= )(?:ACK|RNR NAK|NAK)\\b.*?(?= credits=| msn=)");

  private static final Pattern QUEUE_PAIR = Pattern.compile("qp=(0x[0-9a-f]+)");

  /** Parses a line; empty if it is not about a packet. */
  static Optional<LadderLine> of(String line) {
    Matcher packet = PACKET.matcher(line);
    if (!packet.matches()) {
      return Optional.empty();
    }
    boolean isToTheRight = packet.group(3).equals("--->");
    Matcher fault = FAULT.matcher(packet.group(6));
    boolean isFaulty = fault.matches();
    return Optional.of(
        new LadderLine(
            packet.group(1),
            packet.group(isToTheRight ? 2 : 4),
            packet.group(isToTheRight ? 4 : 2),
            packet.group(5),
            isFaulty ? fault.group(1) : packet.group(6),
            isFaulty ? fault.group(2) : ""));
  }

  /** Name of the packet in sentences; messages of the connection manager have their own names. */
  String name() {
    return isMessage() ? kind() : numbered();
  }

  /** Opcode of the packet, or type of its connection manager message. */
  String kind() {
    Matcher message = MESSAGE.matcher(fields);
    return message.find() ? message.group() : opcode;
  }

  /** Fields after the opcode or message type. */
  String details() {
    return isMessage() ? fields.replaceFirst(".*, " + kind() + " ", "") : fields;
  }

  private boolean isMessage() {
    return !kind().equals(opcode);
  }

  private String numbered() {
    Matcher number = NUMBER.matcher(fields);
    return number.find() ? opcode + " " + number.group() : opcode;
  }

  /** Short text of operation or response, and PSN. */
  String gist() {
    Matcher answer = ANSWER.matcher(fields);
    String what =
        answer.find()
            ? answer.group()
            : opcode.replaceFirst("^[A-Z]+_", "").replace("_ONLY", "").replace('_', ' ');
    Matcher number = NUMBER.matcher(fields);
    return number.find() ? what + ", PSN " + number.group().substring(4) : what;
  }

  /** Key that is equal for a packet and its retransmissions. */
  String identity() {
    Matcher queuePair = QUEUE_PAIR.matcher(fields);
    return source
        + " "
        + destination
        + " "
        + numbered()
        + (queuePair.find() ? queuePair.group() : "");
  }

  /** Number of the destination queue pair; 0 if there is none. */
  int queuePair() {
    Matcher number = QUEUE_PAIR.matcher(fields);
    return number.find() ? Integer.decode(number.group(1)) : 0;
  }

  /** Whether a fault dropped the packet. */
  boolean isLost() {
    return fault.startsWith("dropped");
  }

  boolean isNak() {
    return fields.contains("NAK");
  }
}
