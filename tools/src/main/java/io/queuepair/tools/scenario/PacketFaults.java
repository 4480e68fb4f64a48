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
 * Fault statements that identify packets of a run: by opcode, sender and PSN, and by number among
 * packets that agree in these. With the PSN, the number stays valid if packets are delayed or
 * reordered.
 */
final class PacketFaults {
  /** Opcode of frames of RAW_PACKET queue pairs, which fault statements cannot identify. */
  private static final String FRAME = "ETHERNET";

  private static final Pattern PSN = Pattern.compile("\\bpsn=([0-9]+)");

  private final Map<String, Integer> counts = new HashMap<>();

  /** Packets, by opcode, sender and PSN, whose duplicate made by a fault is not sent yet. */
  private final Set<String> copies = new HashSet<>();

  /**
   * Fault statements that can be added for a packet; empty if it has a fault, or for other events.
   *
   * @param event next event of the run; all events must be passed, in order
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
    // Faults name a sender by its device, which stands for the device's first address only.
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
