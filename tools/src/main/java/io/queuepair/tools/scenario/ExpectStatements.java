// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Statements {@code expect}: a run ends at the first condition that does not hold. Exercises use
 * them in place of a block {@code expected}.
 */
final class ExpectStatements {
  static final String VERB = "expect";

  private static final String PACKET = "packet";
  private static final String NONE = "none";
  private static final String FORM =
      "expect packet [from=DEVICE] OPCODE [FIELD...], expect no packet,"
          + " expect completion CQ wr_id=NUMBER status=STATUS, expect completion CQ none,"
          + " expect state QP STATE, expect memory REGION:BYTES VALUE, expect event DEVICE EVENT,"
          + " expect announced CHANNEL CQ, expect drop DEVICE REASON,"
          + " or expect refused ERRNO [\"TEXT\"]";

  private ExpectStatements() {}

  /** Whether a statement may run the network until its condition can be checked. */
  static boolean takesTime(Statement statement) {
    return statement.isExpectation() && statement.arguments().contains(PACKET);
  }

  static void expect(ScenarioEnvironment environment, StateRecorder recorder, List<String> words) {
    if (words.size() < 2) {
      throw new StatementException("it is written: " + FORM);
    }
    List<String> rest = words.subList(1, words.size());
    switch (words.get(0)) {
      case PACKET -> packet(environment, recorder, rest);
      case "no" -> noPacket(environment, recorder, rest);
      case "completion" -> completion(environment, rest);
      case "state" -> state(environment, rest);
      case "memory" -> memory(environment, rest);
      case "event" -> event(environment, rest);
      case "announced" -> announced(environment, rest);
      case "drop" -> drop(environment, rest);
      case "refused" -> refused(environment, rest);
      default -> throw new StatementException("it is written: " + FORM);
    }
  }

  /** Next unchecked packet since the last other statement; runs the network if necessary. */
  private static Optional<String> nextPacket(
      ScenarioEnvironment environment, StateRecorder recorder) {
    Transcript transcript = environment.transcript;
    if (!transcript.hasPacket()) {
      RunStatements.runEvents(environment, recorder, transcript::hasPacket);
    }
    return transcript.takePacket();
  }

  private static void packet(
      ScenarioEnvironment environment, StateRecorder recorder, List<String> words) {
    String line =
        nextPacket(environment, recorder)
            .orElseThrow(
                () -> wrong(environment, "no packet is sent any more", String.join(" ", words)));
    LadderLine sent = LadderLine.of(line).orElseThrow();
    for (String word : words) {
      if (!has(sent, word)) {
        throw wrong(environment, "the next packet is " + text(sent), word);
      }
    }
  }

  private static boolean has(LadderLine sent, String word) {
    if (word.startsWith("from=")) {
      return word.equals("from=" + sent.source());
    }
    String all = " " + sent.opcode() + " " + sent.fields() + " ";
    return word.startsWith("\"") ? all.contains(unquoted(word)) : all.contains(" " + word + " ");
  }

  private static String text(LadderLine sent) {
    return "from=" + sent.source() + " " + sent.opcode() + " " + sent.fields();
  }

  private static void noPacket(
      ScenarioEnvironment environment, StateRecorder recorder, List<String> words) {
    if (!words.equals(List.of(PACKET))) {
      throw new StatementException("it is written: " + FORM);
    }
    nextPacket(environment, recorder)
        .ifPresent(
            line -> {
              LadderLine sent = LadderLine.of(line).orElseThrow();
              throw wrong(environment, "the next packet is " + text(sent), "no packet");
            });
  }

  private static void completion(ScenarioEnvironment environment, List<String> words) {
    String expected = String.join(" ", words.subList(1, words.size()));
    CompletionQueue cq = environment.object(CompletionQueue.class, words.get(0));
    List<WorkCompletion> taken = cq.poll(1);
    if (taken.isEmpty()) {
      if (!expected.equals(NONE)) {
        throw wrong(environment, "there is no completion in " + words.get(0), expected);
      }
      return;
    }
    RecordedDevice device = environment.device(words.get(0));
    QueryStatements.show(environment, device, taken.get(0));
    Map<String, String> fields = fields(taken.get(0));
    for (String word : words.subList(1, words.size())) {
      String name = word.replaceFirst("=.*", "");
      if (!fields.containsKey(name) && !word.equals(NONE)) {
        throw new StatementException(
            "'" + name + "' is no field; there are " + fields.keySet() + ", or none");
      }
      if (!word.equals(name + "=" + fields.get(name))) {
        throw wrong(environment, "the completion is " + text(device, taken.get(0)), word);
      }
    }
  }

  /** Completion as text, with the reason if it failed. */
  private static String text(RecordedDevice device, WorkCompletion completion) {
    String why = completion.isSuccess() ? "" : ", because " + completion.explain();
    return QueryStatements.text(device, completion) + why;
  }

  private static Map<String, String> fields(WorkCompletion completion) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("wr_id", Long.toString(completion.wrId()));
    fields.put("status", completion.status().name());
    if (completion.isSuccess()) {
      fields.put("opcode", completion.opcode().name());
      fields.put("byte_len", Long.toString(completion.byteLen()));
    }
    return fields;
  }

  private static void state(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 2, "expect state QP STATE");
    QueuePair qp = environment.object(QueuePair.class, words.get(0));
    QpState state = DeviceInspector.of(qp).state();
    if (state != RunStatements.state(words.get(1))) {
      throw wrong(environment, words.get(0) + " is in " + state, words.get(1));
    }
  }

  private static void memory(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 2, "expect memory REGION:BYTES VALUE");
    String shown = MemoryStatements.text(environment, words.get(0));
    if (!shown.equals(words.get(1))) {
      throw wrong(environment, words.get(0) + " is " + shown, words.get(1));
    }
  }

  private static void event(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 2, "expect event DEVICE EVENT");
    RecordedDevice device = environment.device(words.get(0));
    Optional<AsyncEvent> event = device.context().getAsyncEvent(Duration.ZERO);
    event.ifPresent(
        taken -> {
          device.context().ackAsyncEvent(taken);
          environment.transcript.add(QueryStatements.text(device, taken));
        });
    String name = event.map(taken -> taken.eventType().name()).orElse(NONE);
    if (!name.equals(words.get(1))) {
      throw wrong(environment, "the next event of " + words.get(0) + " is " + name, words.get(1));
    }
  }

  private static void announced(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 2, "expect announced CHANNEL CQ");
    String name = QueryStatements.announced(environment, words.get(0)).orElse(NONE);
    if (!name.equals(words.get(1))) {
      throw wrong(environment, words.get(0) + " announces " + name, words.get(1));
    }
  }

  private static void drop(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 2, "expect drop DEVICE REASON");
    RecordedDevice device = environment.device(words.get(0));
    Set<String> reasons =
        new TreeSet<>(EmulatedDevice.of(device.context().device()).dropCounts().keySet());
    if (!reasons.contains(words.get(1))) {
      String found = reasons.isEmpty() ? "nothing" : "packets for " + String.join(", ", reasons);
      throw wrong(environment, words.get(0) + " has dropped " + found, words.get(1));
    }
  }

  private static void refused(ScenarioEnvironment environment, List<String> words) {
    String refusal = environment.transcript.takeRefusal();
    if (refusal.isEmpty()) {
      throw new StatementException(
          "the command before was not refused; expected is " + String.join(" ", words),
          String.join(" ", words));
    }
    for (String word : words) {
      if (!refusal.contains(word.startsWith("\"") ? unquoted(word) : " " + word + ":")) {
        throw wrong(environment, "the command before was refused with " + refusal, word);
      }
    }
  }

  private static String unquoted(String word) {
    return word.substring(1, word.length() - 1);
  }

  private static StatementException wrong(
      ScenarioEnvironment environment, String fact, String expected) {
    return new StatementException(
        fact + "; expected is " + expected + environment.transcript.cause(), expected);
  }
}
