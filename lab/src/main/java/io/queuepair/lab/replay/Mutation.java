// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Scenario with one recorded value changed; a complete comparison must report the change.
 *
 * @param place the path of the value, with the old and the new value
 */
record Mutation(Scenario scenario, int step, String place) {
  private enum MutationKind {
    STATUS,
    ERRNO,
    EVENT,
    BYTE
  }

  /** Recorded value that can be changed. */
  private record MutableValue(int step, ObjectNode parent, String field, MutationKind kind) {}

  /**
   * Changes one status, errno, event or byte of a copy, each kind with equal probability; returns
   * null if there is nothing to change.
   */
  static Mutation of(Scenario original, Random random) {
    List<Step> steps = new ArrayList<>();
    Map<MutationKind, List<MutableValue>> targets = new EnumMap<>(MutationKind.class);
    for (Step step : original.steps()) {
      ObjectNode copy = step.result() == null ? null : step.result().deepCopy();
      steps.add(step.withResult(copy));
      if (copy != null) {
        collect(step.number(), copy, targets);
      }
    }
    if (targets.isEmpty()) {
      return null;
    }
    List<List<MutableValue>> byKind = List.copyOf(targets.values());
    List<MutableValue> choice = byKind.get(random.nextInt(byKind.size()));
    MutableValue target = choice.get(random.nextInt(choice.size()));
    JsonNode before = target.parent().get(target.field());
    JsonNode after = changed(before, target.kind(), random);
    target.parent().set(target.field(), after);
    Scenario changed = new Scenario(original.name(), original.mode(), List.copyOf(steps));
    String where = original.name() + " step " + target.step() + " " + target.field();
    return new Mutation(
        changed, target.step(), where + ": " + before.asText() + " -> " + after.asText());
  }

  private static void collect(
      int step, JsonNode node, Map<MutationKind, List<MutableValue>> targets) {
    if (node instanceof ObjectNode object) {
      for (Iterator<String> fields = object.fieldNames(); fields.hasNext(); ) {
        String field = fields.next();
        MutationKind kind = kindOf(field, object.get(field));
        if (kind == null) {
          collect(step, object.get(field), targets);
        } else {
          targets
              .computeIfAbsent(kind, none -> new ArrayList<>())
              .add(new MutableValue(step, object, field, kind));
        }
      }
    } else if (node.isArray()) {
      node.forEach(element -> collect(step, element, targets));
    }
  }

  private static MutationKind kindOf(String field, JsonNode value) {
    return switch (field) {
      case "status" -> MutationKind.STATUS;
      case "ret", "errno" -> MutationKind.ERRNO;
      case "event" -> MutationKind.EVENT;
      case "hex", "head", "tail", "crc32", "imm" ->
          value.asText().isEmpty() ? null : MutationKind.BYTE;
      default -> null;
    };
  }

  private static JsonNode changed(JsonNode before, MutationKind kind, Random random) {
    JsonNode after = before;
    while (after.equals(before)) {
      after =
          switch (kind) {
            case STATUS -> TextNode.valueOf(any(WcStatus.values(), random).name());
            case EVENT -> TextNode.valueOf(any(EventType.values(), random).name());
            case ERRNO -> {
              boolean fails = random.nextBoolean();
              yield fails
                  ? TextNode.valueOf(any(Errno.values(), random).name())
                  : IntNode.valueOf(0);
            }
            case BYTE -> TextNode.valueOf(otherDigit(before.asText(), random));
          };
    }
    return after;
  }

  private static <T> T any(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  private static String otherDigit(String hex, Random random) {
    int index = random.nextInt(hex.length());
    String digit = Integer.toHexString(random.nextInt(16)).toLowerCase(Locale.ROOT);
    return hex.substring(0, index) + digit + hex.substring(index + 1);
  }
}
