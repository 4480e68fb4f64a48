// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.tools.cli.CompletionText;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Statements that query completions, events and attributes, and some that only the emulator
 * supports.
 */
final class QueryStatements {
  private static final String ATTRIBUTES = "attr";
  private static final String NOTHING = "nothing";

  /** Limit of the completions to poll, more than any queue holds. */
  private static final int MOST_COMPLETIONS = 1_000_000;

  private QueryStatements() {}

  /** Polls a number of completions, by default all. */
  static void poll(ScenarioEnvironment environment, List<String> words) {
    if (words.isEmpty() || words.size() > 2) {
      throw new StatementException("it is written: poll_cq CQ [COUNT]");
    }
    CompletionQueue cq = environment.object(CompletionQueue.class, words.get(0));
    int count =
        words.size() == 2
            ? NumberArgument.of("completions", words.get(1), 1, MOST_COMPLETIONS)
            : cq.cqe();
    List<WorkCompletion> completions;
    try {
      completions = cq.poll(count);
    } catch (VerbsException refused) {
      environment.transcript.add("refused: " + refused.getMessage());
      return;
    }
    if (completions.isEmpty()) {
      environment.transcript.add(NOTHING);
    }
    RecordedDevice device = environment.device(words.get(0));
    completions.forEach(completion -> show(environment, device, completion));
  }

  /** Shows a completion, with the reason if it failed. */
  static void show(
      ScenarioEnvironment environment, RecordedDevice device, WorkCompletion completion) {
    environment.transcript.add(text(device, completion));
    if (!completion.isSuccess()) {
      environment.transcript.add("  why: " + completion.explain());
    }
  }

  /** Completion as one line of text. */
  static String text(RecordedDevice device, WorkCompletion completion) {
    String text = CompletionText.of(completion) + CompletionText.extras(completion);
    return owner(device, completion) + " " + text;
  }

  private static String owner(RecordedDevice device, WorkCompletion completion) {
    for (Map.Entry<String, Object> entry : device.objects().entrySet()) {
      if (entry.getValue() instanceof QueuePair qp && qp.qpNum() == completion.qpNum()) {
        return device.name() + "." + entry.getKey();
      }
    }
    return String.format(Locale.ROOT, "QP 0x%06x", completion.qpNum());
  }

  /** Takes and shows all asynchronous events of a device. */
  static void events(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 1, "get_async_event DEVICE");
    RecordedDevice device = environment.device(words.get(0));
    Optional<AsyncEvent> event = device.context().getAsyncEvent(Duration.ZERO);
    if (event.isEmpty()) {
      environment.transcript.add(NOTHING);
    }
    while (event.isPresent()) {
      AsyncEvent taken = event.get();
      device.context().ackAsyncEvent(taken);
      environment.transcript.add(text(device, taken));
      event = device.context().getAsyncEvent(Duration.ZERO);
    }
  }

  /** Asynchronous event as one line of text. */
  static String text(RecordedDevice device, AsyncEvent event) {
    return event.eventType() + " (" + event.eventType().text() + ")" + about(device, event);
  }

  private static String about(RecordedDevice device, AsyncEvent event) {
    if (event instanceof AsyncEvent.PortEvent portEvent) {
      return " of port " + portEvent.portNum();
    }
    return RecordedDevice.queueOf(event)
        .map(queue -> " of " + device.name() + "." + device.nameOf(queue))
        .orElse("");
  }

  /** Shows the packets that a device has dropped silently, by reason. */
  static void drops(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 1, "drops DEVICE");
    Map<String, Long> drops =
        EmulatedDevice.of(environment.device(words.get(0)).context().device()).dropCounts();
    if (drops.isEmpty()) {
      environment.transcript.add(NOTHING);
    }
    drops.forEach((reason, count) -> environment.transcript.add(reason + " " + count));
  }

  /** Shows the completion queue of a channel's next event, if there is one; does not wait. */
  static void completionEvent(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 1, "get_cq_event CHANNEL");
    environment.transcript.add(announced(environment, words.get(0)).orElse(NOTHING));
  }

  /** Takes the next event of a channel; returns the name of its completion queue. */
  static Optional<String> announced(ScenarioEnvironment environment, String name) {
    CompletionChannel channel = environment.object(CompletionChannel.class, name);
    Optional<CompletionQueue> cq = channel.getCqEvent(Duration.ZERO);
    cq.ifPresent(queue -> queue.ackEvents(1));
    RecordedDevice device = environment.device(name);
    return cq.map(queue -> device.name() + "." + device.nameOf(queue));
  }

  /** Queries an object, and shows the named attributes or all. */
  static void query(ScenarioEnvironment environment, String verb, List<String> words) {
    if (words.isEmpty()) {
      throw new StatementException("it is written: " + verb + " OBJECT [ATTRIBUTE...]");
    }
    RecordedDevice device = environment.device(words.get(0));
    List<String> names = words.stream().skip(1).filter(word -> !isOption(word)).toList();
    List<String> call = new ArrayList<>(words.subList(0, 1));
    words.stream().skip(1).filter(QueryStatements::isOption).forEach(call::add);
    ObjectNode arguments = VerbSyntax.of(verb).read(verb, device.name(), call);
    ObjectNode answer = environment.answer(verb, device, arguments);
    if (names.isEmpty() || answer.has(CallResults.WHY)) {
      ResultFormatter.of(verb, answer).forEach(environment.transcript::add);
      return;
    }
    JsonNode attributes = answer.has(ATTRIBUTES) ? answer.get(ATTRIBUTES) : answer;
    StringJoiner shown = new StringJoiner(" ");
    for (String name : names) {
      JsonNode value = attributes.path(name);
      if (value.isMissingNode()) {
        List<String> known = new ArrayList<>();
        attributes.fieldNames().forEachRemaining(known::add);
        throw new StatementException("'" + name + "' is no attribute; there are " + known);
      }
      shown.add(name + "=" + text(name, value));
    }
    environment.transcript.add(shown.toString());
  }

  private static boolean isOption(String word) {
    return word.contains("=");
  }

  /** Names of constants in place of their values. */
  private static String text(String name, JsonNode value) {
    return switch (name) {
      case "path_mig_state" -> constant(MigState.class, value);
      case "path_mtu" -> constant(Mtu.class, value);
      default -> ResultFormatter.value(value);
    };
  }

  private static <E extends Enum<E> & VerbsConstant> String constant(Class<E> type, JsonNode code) {
    for (E candidate : type.getEnumConstants()) {
      if (candidate.code() == code.asInt()) {
        return candidate.name();
      }
    }
    return code.asText();
  }
}
