// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.PacketArrival;
import io.queuepair.emulator.observe.TracedPacket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Detects changes after each event. */
final class StateRecorder {
  /** Watcher that ignores all steps: the views of all objects are not computed. */
  static final Consumer<TimelineStep> NO_WATCHER = step -> {};

  private final ScenarioEnvironment environment;
  private final Consumer<TimelineStep> watcher;
  private final MemoryWatch memory;

  /** Names of the packets so far. */
  private final List<PacketName> packets = new ArrayList<>();

  /** Number of sends of each packet, by its text in the ladder. */
  private final Map<String, Integer> attempts = new LinkedHashMap<>();

  /** Requests that read memory and were answered, by their text in the ladder. */
  private final Set<String> answered = new HashSet<>();

  private List<ObjectView> views = List.of();
  private int arrivals;
  private int line;

  StateRecorder(ScenarioEnvironment environment, Consumer<TimelineStep> watcher) {
    this.environment = environment;
    this.watcher = watcher;
    memory = new MemoryWatch(environment);
  }

  private record PacketName(LadderLine line, String queuePair) {}

  /** Reports a statement that takes virtual time before it runs; see {@link #end}. */
  void begin(Statement statement) {
    line = statement.line();
    if (isWatched() && statement.takesTime()) {
      report(statement.text(), List.of(), environment.objects(), "");
    }
  }

  private boolean isWatched() {
    return watcher != NO_WATCHER;
  }

  /** Called after each event of the network. */
  void event() {
    environment.reportStates();
    if (!isWatched()) {
      return;
    }
    List<String> output = environment.transcript.takeFresh();
    List<ObjectView> objects = environment.objects();
    boolean hasArrivals = !environment.trace.arrivalsFrom(arrivals).isEmpty();
    if (!output.isEmpty() || hasArrivals || !objects.equals(views)) {
      report("", output, objects, "");
    }
  }

  void end(Statement statement) {
    if (!isWatched()) {
      environment.transcript.takeFresh();
      environment.takePosted();
      return;
    }
    if (statement.takesTime()) {
      event();
      return;
    }
    report(statement.text(), environment.transcript.takeFresh(), environment.objects(), "");
  }

  /** Reports a statement that failed, or whose expectation does not hold; the run stops. */
  void fail(Statement statement, String reason) {
    if (!isWatched()) {
      return;
    }
    String text = statement.takesTime() ? "" : statement.text();
    List<String> output = environment.transcript.takeFresh();
    report(text, output, environment.objects(), "line " + statement.line() + ": " + reason);
  }

  private void report(
      String statement, List<String> output, List<ObjectView> objects, String failure) {
    views = objects;
    List<NumberedPacket> sent = sent(output);
    List<ArrivedPacket> arrived = newArrivals();
    watcher.accept(
        new TimelineStep(
            line,
            environment.clock.nowNanos(),
            statement,
            output,
            sent,
            arrived,
            objects,
            memory.views(reads(arrived, ladder(output)), environment.takePosted()),
            failure));
  }

  private static List<LadderLine> ladder(List<String> output) {
    return output.stream().flatMap(text -> LadderLine.of(text).stream()).toList();
  }

  /** Memory that was read for requests that have arrived and been answered. */
  private List<RemoteRead> reads(List<ArrivedPacket> arrived, List<LadderLine> sent) {
    List<RemoteRead> reads = new ArrayList<>();
    for (ArrivedPacket arrival : arrived) {
      LadderLine request = packets.get(arrival.number()).line();
      RemoteRead.of(request)
          .filter(read -> arrival.dropReason().isEmpty())
          .filter(read -> sent.stream().anyMatch(read::isAnsweredBy))
          .filter(read -> answered.add(request.identity()) || read.isRepeatable())
          .ifPresent(reads::add);
    }
    return reads;
  }

  /** Packets of the ladder lines, which are in the same order as in the trace. */
  private List<NumberedPacket> sent(List<String> output) {
    List<LadderLine> lines = ladder(output);
    List<TracedPacket> traced = environment.trace.packetsFrom(packets.size());
    List<NumberedPacket> sent = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      LadderLine packet = lines.get(i);
      int attempt = attempts.merge(packet.identity(), 1, Integer::sum);
      String queuePair = environment.queuePair(packet.destination(), packet.queuePair());
      sent.add(new NumberedPacket(packets.size(), attempt, queuePair, traced.get(i)));
      packets.add(new PacketName(packet, queuePair));
    }
    return sent;
  }

  private List<ArrivedPacket> newArrivals() {
    List<ArrivedPacket> news = new ArrayList<>();
    for (PacketArrival arrival : environment.trace.arrivalsFrom(arrivals)) {
      if (arrival.packet() >= packets.size()) {
        break;
      }
      arrivals++;
      String host = environment.host(arrival.host().getHostAddress());
      PacketName name = packets.get(arrival.packet());
      news.add(
          new ArrivedPacket(
              arrival.packet(),
              arrival.nanos(),
              host,
              name.line().name(),
              name.queuePair(),
              arrival.dropReason()));
    }
    return news;
  }
}
