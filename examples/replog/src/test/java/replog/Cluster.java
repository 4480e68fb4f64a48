// SPDX-License-Identifier: Apache-2.0
package replog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Nodes on an emulator, and a client that appends to whichever leads. */
final class Cluster implements AutoCloseable {
  /** Much longer than an election takes. */
  static final Duration SECOND = Duration.ofSeconds(1);

  /** For those that may be cut off: a connection manager repeats a lost request after 4 s. */
  static final Duration LONG = Duration.ofSeconds(20);

  private static final Duration PATIENT = Duration.ofMillis(40);

  /** Less than the time between two heartbeats. */
  private static final Duration LATE = Duration.ofMillis(3);

  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final int PORT = 7_000;

  private final Emulator emulator;
  private final Duration limit;
  private final List<Replica> nodes = new ArrayList<>();

  /** Entries reported as committed, with the time that took; written by several clients. */
  private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());

  private volatile Duration slowest = Duration.ZERO;

  /**
   * Starts nodes.
   *
   * @param limit how long a client appends an entry again and again before it gives up
   */
  Cluster(Emulator emulator, int size, Duration limit) {
    this.emulator = emulator;
    this.limit = limit;
    List<InetSocketAddress> addresses =
        IntStream.range(0, size).mapToObj(id -> new InetSocketAddress(address(id), PORT)).toList();
    EmulatedPlatform platform = new EmulatedPlatform(emulator);
    for (int id = 0; id < size; id++) {
      var device = emulator.addDevice(DeviceProfile.standard().sanitized(), address(id));
      nodes.add(new Replica(id, emulator.rdmaCm(device), addresses, platform));
    }
    nodes.forEach(Replica::start);
  }

  static String address(int id) {
    return "10.0.0." + (id + 1);
  }

  private Optional<Replica> leader(Predicate<Replica> among) {
    return nodes.stream().filter(among).filter(Replica::isLeader).findFirst();
  }

  /** The number of a node that leads. */
  int leader() {
    return leader(node -> true).orElseThrow().id();
  }

  void append(String text) {
    append(text, node -> true);
  }

  /** Appends an entry, again until that is acknowledged. */
  void append(String text, Predicate<Replica> among) {
    Duration end = emulator.now().plus(limit);
    while (emulator.now().compareTo(end) < 0) {
      if (leader(among).filter(node -> isAppended(node, text)).isPresent()) {
        return;
      }
      emulator.sleep(PAUSE);
    }
    fail("'" + text + "' was not committed within " + limit + ": " + nodes);
  }

  private boolean isAppended(Replica node, String text) {
    Duration begin = emulator.now();
    CompletableFuture<Long> outcome = node.propose(text.getBytes(StandardCharsets.UTF_8));
    boolean isCommitted =
        emulator.threads().await(outcome, PATIENT) && !outcome.isCompletedExceptionally();
    if (isCommitted) {
      acknowledged.add(text);
      slowest = Collections.max(List.of(slowest, emulator.now().minus(begin)));
    }
    return isCommitted;
  }

  /** From now on it counts how long an entry takes: before there was an election. */
  void forgetLateness() {
    slowest = Duration.ZERO;
  }

  /**
   * A wake-up that is lost ends no program whose heartbeats come: the thread wakes up with the next
   * one. So it shows as lateness, in the time of the network.
   */
  void checkNothingWasLate() {
    assertTrue(slowest.compareTo(LATE) < 0, () -> "an entry took " + slowest + ": " + nodes);
  }

  /** One leader in each term, the same entries everywhere, none lost that was acknowledged. */
  void check() {
    Set<Long> terms = new HashSet<>();
    for (Replica node : nodes) {
      node.ledTerms().forEach(term -> assertTrue(terms.add(term), "two have led in term " + term));
    }
    List<String> longest =
        nodes.stream().map(Replica::committed).max(Comparator.comparing(List::size)).orElseThrow();
    for (Replica node : nodes) {
      List<String> entries = node.committed();
      assertEquals(longest.subList(0, entries.size()), entries, () -> "logs differ: " + nodes);
    }
    for (String text : acknowledged) {
      assertTrue(
          longest.stream().anyMatch(entry -> entry.endsWith(":" + text)),
          () -> text + " was acknowledged and is lost: " + longest);
    }
  }

  @Override
  public void close() {
    nodes.forEach(Replica::close);
  }
}
