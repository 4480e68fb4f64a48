// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.LadderLayout;
import io.queuepair.emulator.observe.RetryTimer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Events displayed for a step, causes before effects. */
final class StepEvents {
  private static final double NANOS_PER_MILLI = 1_000_000;
  private static final String FLUSHED = " WR_FLUSH_ERR";

  /** Line about a transition of a queue pair. */
  private static final Pattern STATE = Pattern.compile(" *([0-9.]+) us  (\\S+): (\\w+) -> (\\w+)");

  private final TimelineStep step;
  private final List<ObjectView> before;
  private final List<TimelineEvent> events = new ArrayList<>();

  private StepEvents(TimelineStep step, List<ObjectView> before) {
    this.step = step;
    this.before = before;
  }

  /**
   * Events of a step.
   *
   * @param before objects before the step
   */
  static List<TimelineEvent> of(TimelineStep step, List<ObjectView> before) {
    StepEvents made = new StepEvents(step, before);
    made.addAll();
    return made.events;
  }

  private void addAll() {
    if (!step.statement().isEmpty()) {
      events.add(new TimelineEvent.Command(step.statement()));
    }
    if (!step.failure().isEmpty()) {
      events.add(new TimelineEvent.Failure(step.failure()));
    }
    step.objects().forEach(this::addExpiry);
    int firstSent = step.packets().isEmpty() ? Integer.MAX_VALUE : step.packets().get(0).number();
    step.arrivals().stream().filter(a -> a.number() < firstSent).forEach(this::addArrival);
    Iterator<NumberedPacket> packets = step.packets().iterator();
    step.output().forEach(line -> events.add(ofLine(line, packets)));
    step.arrivals().stream().filter(a -> a.number() >= firstSent).forEach(this::addArrival);
    Set<String> flushed = flushed();
    for (ObjectView object : step.objects()) {
      addChanges(object, flushed);
    }
    for (MemoryView memory : step.memory()) {
      memory
          .read()
          .forEach(bytes -> events.add(new TimelineEvent.MemoryRead(memory.name(), bytes)));
      memory
          .written()
          .forEach(bytes -> events.add(new TimelineEvent.MemoryWritten(memory.name(), bytes)));
    }
    step.objects().forEach(this::addWait);
    if (events.isEmpty()) {
      step.objects().forEach(this::addNumbers);
    }
  }

  private static String time(long nanos) {
    return LadderLayout.time(nanos).replace("us", "").strip();
  }

  private void addArrival(ArrivedPacket packet) {
    events.add(new TimelineEvent.Arrived(time(packet.nanos()), packet));
  }

  private static TimelineEvent ofLine(String line, Iterator<NumberedPacket> packets) {
    Optional<LadderLine> packet = LadderLine.of(line);
    if (packet.isPresent() && packets.hasNext()) {
      return new TimelineEvent.PacketSent(packet.get(), packets.next());
    }
    Matcher state = STATE.matcher(line);
    return state.matches()
        ? new TimelineEvent.StateChange(
            state.group(1), state.group(2), state.group(3), state.group(4))
        : new TimelineEvent.Note(line);
  }

  private Optional<ObjectView> earlier(ObjectView object) {
    return before.stream().filter(one -> one.name().equals(object.name())).findFirst();
  }

  private Optional<RetryTimer> timerBefore(ObjectView object) {
    return earlier(object).flatMap(ObjectView::retryTimer);
  }

  /** Adds the expiry of a timer that was running before the step. */
  private void addExpiry(ObjectView object) {
    timerBefore(object)
        .filter(timer -> timer.deadlineNanos() <= step.nanos())
        .filter(timer -> !object.retryTimer().equals(Optional.of(timer)))
        .ifPresent(
            timer ->
                events.add(
                    new TimelineEvent.Timer(
                        time(timer.deadlineNanos()),
                        object.name(),
                        timer.kind() == RetryTimer.Kind.RNR
                            ? "the RNR timer expires"
                            : "the ACK timeout expires, no answer has come")));
  }

  /** Adds the start of a wait after an RNR NAK. */
  private void addWait(ObjectView object) {
    object
        .retryTimer()
        .filter(timer -> timer.kind() == RetryTimer.Kind.RNR)
        .filter(timer -> !timerBefore(object).equals(Optional.of(timer)))
        .ifPresent(
            timer -> {
              double millis = (timer.deadlineNanos() - step.nanos()) / NANOS_PER_MILLI;
              String text =
                  String.format(
                      Locale.ROOT,
                      "waits %.2f ms for the receiver, until %s \u00b5s",
                      millis,
                      time(timer.deadlineNanos()));
              events.add(new TimelineEvent.Timer(time(step.nanos()), object.name(), text));
            });
  }

  /** Identifiers of work requests that completions of this step report as flushed. */
  private Set<String> flushed() {
    Set<String> numbers = new HashSet<>();
    for (ObjectView object : step.objects()) {
      List<String> completions = object.queues().getOrDefault("completions", List.of());
      List<String> fresh = new ArrayList<>(completions);
      earlier(object)
          .ifPresent(
              old -> old.queues().getOrDefault("completions", List.of()).forEach(fresh::remove));
      fresh.stream()
          .filter(completion -> completion.endsWith(FLUSHED))
          .forEach(one -> numbers.add(one.substring(0, one.length() - FLUSHED.length())));
    }
    return numbers;
  }

  /** Adds changes of queues; a new object has none. */
  private void addChanges(ObjectView object, Set<String> flushed) {
    Optional<ObjectView> old = earlier(object);
    if (old.isEmpty()) {
      return;
    }
    for (Map.Entry<String, List<String>> queue : object.queues().entrySet()) {
      List<String> were =
          Objects.requireNonNullElse(old.get().queues().get(queue.getKey()), List.of());
      List<String> gone = without(were, queue.getValue());
      List<String> come = without(queue.getValue(), were);
      boolean isFlush =
          !gone.isEmpty()
              && gone.stream().allMatch(entry -> flushed.contains(entry.split(" ", 2)[0]));
      add(object, queue.getKey() + " - ", gone, isFlush);
      add(object, queue.getKey() + " + ", come, false);
    }
  }

  private void add(ObjectView object, String what, List<String> entries, boolean isFlush) {
    if (!entries.isEmpty()) {
      String text = what + String.join(", ", entries);
      events.add(new TimelineEvent.Change(object.name(), text, isFlush));
    }
  }

  private static List<String> without(List<String> all, List<String> others) {
    List<String> rest = new ArrayList<>(all);
    others.forEach(rest::remove);
    return rest;
  }

  /** Adds changes of other fields; called if the step has no other event. */
  private void addNumbers(ObjectView object) {
    for (Map.Entry<String, String> field : object.fields().entrySet()) {
      String old = earlier(object).map(o -> o.fields().get(field.getKey())).orElse(null);
      if (old != null && !field.getValue().equals(old)) {
        String text = field.getKey() + "=" + field.getValue();
        events.add(new TimelineEvent.Change(object.name(), text, false));
      }
    }
  }
}
