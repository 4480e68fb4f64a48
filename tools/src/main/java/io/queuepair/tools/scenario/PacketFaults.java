// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Faults that name the packets of a run: by opcode, sender and PSN, and a number among the packets
 * that agree in these. The PSN keeps the number right if packets are late or overtaken by others.
 */
final class PacketFaults {
  /** Name of a frame of a queue pair of type RAW_PACKET: faults cannot name it. */
  private static final String FRAME = "ETHERNET";

  private static final Pattern PSN = Pattern.compile("\\bpsn=([0-9]+)");

  private final Map<String, Integer> counts = new HashMap<>();

  /** Kinds of packets whose copy, made by a fault, is still to come. */
  private final Set<String> copies = new HashSet<>();

  /**
   * The faults that can be added to a packet; none if it has one already, or if the event is
   * something else.
   *
   * @param event of a run; each has to be given, in order
   */
  List<String> of(TimelineEvent event) {
    if (!(event instanceof TimelineEvent.PacketSent sent)) {
      return List.of();
    }
    LadderLine packet = sent.line();
    Matcher field = PSN.matcher(packet.fields());
    String psn = field.find() ? " psn " + field.group(1) : "";
    String ofAll = packet.opcode() + psn;
    String ofSource = packet.opcode() + " from " + packet.source() + psn;
    boolean isForged = packet.fault().startsWith("forged");
    if (packet.opcode().equals(FRAME) || isForged || copies.remove(ofSource)) {
      return List.of();
    }
    if (packet.fault().startsWith("doubled")) {
      copies.add(ofSource);
    }
    int numberOfAll = counts.merge(ofAll, 1, Integer::sum);
    int numberOfSource = counts.merge(ofSource, 1, Integer::sum);
    // An address that is not the first of its device has no name in faults.
    boolean isByName = packet.source().matches("[A-Za-z]\\w*");
    String name = isByName ? numbered(numberOfSource, ofSource) : numbered(numberOfAll, ofAll);
    return packet.fault().isEmpty()
        ? List.of("drop " + name, "duplicate " + name, "delay 10us " + name, "delay 10ms " + name)
        : List.of();
  }

  private static String numbered(int number, String kind) {
    boolean isTeen = number / 10 % 10 == 1;
    String ending =
        switch (isTeen ? 0 : number % 10) {
          case 1 -> "st ";
          case 2 -> "nd ";
          case 3 -> "rd ";
          default -> "th ";
        };
    return number + ending + kind;
  }
}
