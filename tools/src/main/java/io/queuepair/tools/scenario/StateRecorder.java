// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.fabric.trace.PacketArrival;
import io.queuepair.emulator.fabric.trace.TracedPacket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Notices after each event what has changed. */
final class StateRecorder {
  private final ScenarioEnvironment environment;
  private final Consumer<TimelineStep> watcher;
  private final MemoryWatch memory;

  /** What each packet so far is called. */
  private final List<PacketName> packets = new ArrayList<>();

  /** How often a packet was sent, by what the ladder says of it. */
  private final Map<String, Integer> attempts = new LinkedHashMap<>();

  private List<ObjectView> seen = List.of();
  private int arrivals;
  private int line;

  StateRecorder(ScenarioEnvironment environment, Consumer<TimelineStep> watcher) {
    this.environment = environment;
    this.watcher = watcher;
    memory = new MemoryWatch(environment);
  }

  private record PacketName(String text, String queuePair) {}

  /** What takes time is reported when it begins, everything else when it is done. */
  void begin(Statement statement) {
    line = statement.line();
    if (takesTime(statement)) {
      report(statement.text(), List.of(), environment.objects(), "");
    }
  }

  private static boolean takesTime(Statement statement) {
    return statement.verb().equals(RunStatements.VERB) || ExpectStatements.takesTime(statement);
  }

  /** Called after each event of the network. */
  void event() {
    environment.reportStates();
    List<String> output = environment.transcript().takeFresh();
    List<ObjectView> objects = environment.objects();
    boolean hasArrivals = !environment.trace().arrivalsFrom(arrivals).isEmpty();
    if (!output.isEmpty() || hasArrivals || !objects.equals(seen)) {
      report("", output, objects, "");
    }
  }

  void end(Statement statement) {
    if (takesTime(statement)) {
      event();
      return;
    }
    report(statement.text(), environment.transcript().takeFresh(), environment.objects(), "");
  }

  /** A statement could not be carried out, or what it expects is not so: the run stops. */
  void fail(Statement statement, String reason) {
    String text = takesTime(statement) ? "" : statement.text();
    List<String> output = environment.transcript().takeFresh();
    report(text, output, environment.objects(), "line " + statement.line() + ": " + reason);
  }

  private void report(
      String statement, List<String> output, List<ObjectView> objects, String failure) {
    seen = objects;
    List<NumberedPacket> sent = sent(output);
    watcher.accept(
        new TimelineStep(
            line,
            environment.clock().nowNanos(),
            statement,
            output,
            sent,
            newArrivals(),
            objects,
            memory.views(),
            failure));
  }

  /** The packets that lines are about: they stand in the same order in the trace. */
  private List<NumberedPacket> sent(List<String> output) {
    List<LadderLine> lines = output.stream().flatMap(text -> LadderLine.of(text).stream()).toList();
    List<TracedPacket> traced = environment.trace().packetsFrom(packets.size());
    List<NumberedPacket> sent = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      LadderLine packet = lines.get(i);
      int attempt = attempts.merge(packet.identity(), 1, Integer::sum);
      String queuePair = environment.queuePair(packet.destination(), packet.queuePair());
      sent.add(new NumberedPacket(packets.size(), attempt, queuePair, traced.get(i)));
      packets.add(new PacketName(packet.name(), queuePair));
    }
    return sent;
  }

  private List<ArrivedPacket> newArrivals() {
    List<ArrivedPacket> news = new ArrayList<>();
    for (PacketArrival arrival : environment.trace().arrivalsFrom(arrivals)) {
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
              name.text(),
              name.queuePair(),
              arrival.dropReason()));
    }
    return news;
  }
}
