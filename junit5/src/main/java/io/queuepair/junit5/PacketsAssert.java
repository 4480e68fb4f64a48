// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Predicate;
import org.opentest4j.AssertionFailedError;

/**
 * Assertions about the packets between a queue pair and its peer, from the beginning of the test
 * until now. Packets have the names that fault plans give them, with or without {@code RC_} and
 * {@code RDMA_}: {@code WRITE_FIRST}, {@code SEND_ONLY}, {@code READ_REQUEST}, {@code ACK}, {@code
 * NAK}, {@code RNR_NAK}.
 *
 * <p>A packet counts once the other side has accepted it, or it is lost. In real time an assertion
 * waits a second for what is still missing.
 */
public final class PacketsAssert {
  private final QpEndpoint endpoint;

  PacketsAssert(QpEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * The queue pair has sent exactly these packets, in this order; those that were sent again count
   * once.
   *
   * @param names of all packets; none if it has sent nothing
   * @return this assertion
   */
  public PacketsAssert sent(String... names) {
    check("sent", PacketLog.of(endpoint), SentPacket::isFirstTransmission, List.of(names));
    return this;
  }

  /**
   * The peer has sent exactly these packets to the queue pair, in this order, whether or not some
   * were lost; those that were sent again count once.
   *
   * @param names of all packets; none if its peer has sent nothing
   * @return this assertion
   */
  public PacketsAssert received(String... names) {
    check(
        "received", PacketLog.of(endpoint.peer()), SentPacket::isFirstTransmission, List.of(names));
    return this;
  }

  /**
   * The queue pair has sent no packet twice.
   *
   * @return this assertion
   */
  public PacketsAssert withoutRetransmission() {
    return withRetransmissionOf();
  }

  /**
   * The queue pair has sent exactly these packets again, in this order.
   *
   * @param names of all packets that were sent again, as often as they were
   * @return this assertion
   */
  public PacketsAssert withRetransmissionOf(String... names) {
    check("sent again", PacketLog.of(endpoint), SentPacket::isRetransmission, List.of(names));
    return this;
  }

  private void check(
      String verb, PacketLog log, Predicate<SentPacket> counts, List<String> expected) {
    List<SentPacket> packets =
        log.await(all -> matches(all.stream().filter(counts).toList(), expected));
    List<SentPacket> found = packets.stream().filter(counts).toList();
    if (!matches(found, expected)) {
      throw new AssertionFailedError(
          message(verb, found, expected, packets.size() - found.size()),
          String.join("\n", expected),
          lines(found));
    }
  }

  private static boolean matches(List<SentPacket> found, List<String> expected) {
    return found.size() == expected.size() && firstDifference(found, expected) == found.size();
  }

  private static int firstDifference(List<SentPacket> found, List<String> expected) {
    int at = 0;
    while (at < found.size() && at < expected.size() && found.get(at).isNamed(expected.get(at))) {
      at++;
    }
    return at;
  }

  private String message(String verb, List<SentPacket> found, List<String> expected, int others) {
    StringJoiner text = new StringJoiner("\n");
    text.add("expected " + endpoint + " to have " + verb + ":");
    addAll(text, expected);
    text.add("but it has " + verb + ":");
    int difference = firstDifference(found, expected);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      String wanted = i < expected.size() ? "expected " + expected.get(i) : "not expected";
      lines.add(found.get(i) + (i == difference ? "   <--- " + wanted : ""));
    }
    if (difference == found.size()) {
      lines.add("<--- expected " + expected.get(difference));
    }
    addAll(text, lines);
    if (others > 0) {
      text.add("(and " + others + " other packets, which do not count here)");
    }
    return text.toString();
  }

  private static void addAll(StringJoiner text, List<String> lines) {
    (lines.isEmpty() ? List.of("nothing") : lines).forEach(line -> text.add("  " + line));
  }

  private static String lines(List<SentPacket> packets) {
    return String.join("\n", packets.stream().map(SentPacket::toString).toList());
  }
}
