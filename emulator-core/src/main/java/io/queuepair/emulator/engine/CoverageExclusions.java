// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Coverage names that devices of a profile can never reach, with reasons. States and transitions
 * follow from the offered queue pair types and the transition table; all others are listed in
 * {@code unreachable.tsv}.
 */
final class CoverageExclusions {
  private static final List<Exclusion> TABLE = read();

  private static final Map<String, Long> NO_STATES = noStates();
  private static final Map<String, Long> NO_TRANSITIONS = noTransitions();

  /** Initial coverage of states and transitions by kind of device; there are few kinds. */
  private static final Map<Kind, Coverage> NOTHING_YET = new ConcurrentHashMap<>();

  private final DeviceProfile profile;

  CoverageExclusions(DeviceProfile profile) {
    this.profile = profile;
  }

  /** Properties of a profile that decide which states and transitions are reachable. */
  private record Kind(Set<QpType> types, TransitionTable table) {
    static Kind of(DeviceProfile profile) {
      Set<QpType> types = EnumSet.allOf(QpType.class);
      types.removeIf(type -> !profile.offers(type));
      return new Kind(types, profile.transitions());
    }

    /** Coverage of all states and transitions, none entered yet. */
    Coverage nothingYet() {
      return new Coverage()
          .with(CoverageGroup.STATE, NO_STATES, states())
          .with(CoverageGroup.TRANSITION, NO_TRANSITIONS, transitions());
    }

    private Map<String, String> states() {
      Map<String, String> reasons = new LinkedHashMap<>();
      for (QpType type : QpType.values()) {
        for (QpState state : QpState.values()) {
          String reason = whyNever(type, state);
          if (reason != null) {
            reasons.put(DeviceStatistics.nameOf(type, state), reason);
          }
        }
      }
      return reasons;
    }

    /** Reason why no queue pair of a type ever enters a state, or null. */
    private @Nullable String whyNever(QpType type, QpState state) {
      if (!types.contains(type)) {
        return "queue pairs of type " + type + " are not offered";
      }
      return switch (state) {
        case UNKNOWN -> "the library alone knows this state";
        case SQE ->
            TransitionTable.hasSendQueueError(type)
                ? null
                : "a failed send takes this type to ERR instead";
        case RESET, INIT, RTR, RTS, SQD, ERR -> null;
      };
    }

    private Map<String, String> transitions() {
      Set<String> inTable = new LinkedHashSet<>();
      for (Transition transition : table.rows()) {
        inTable.add(DeviceStatistics.nameOf(transition.type(), transition.from(), transition.to()));
      }
      Map<String, String> reasons = new LinkedHashMap<>();
      for (QpType type : QpType.values()) {
        for (QpState from : QpState.values()) {
          for (QpState to : QpState.values()) {
            String name = DeviceStatistics.nameOf(type, from, to);
            String reason = whyNever(type, from);
            reason = reason == null ? whyNever(type, to) : reason;
            // Failures lead to ERR, which the table has from every state, and from RTS to SQE,
            // which it lacks.
            boolean isOwn = from == QpState.RTS && to == QpState.SQE;
            if (reason == null && !isOwn && !inTable.contains(name)) {
              reason =
                  from == QpState.SQD && to == QpState.SQE
                      ? "here no started send of this type can fail in SQD, as it may by the"
                          + " specification"
                      : "not in the transition table, and no failure leads there";
            }
            if (reason != null) {
              reasons.put(name, reason);
            }
          }
        }
      }
      return reasons;
    }
  }

  /**
   * Row of {@code unreachable.tsv}.
   *
   * @param devices profiles that the row applies to
   * @param name coverage name; a star at its end matches any rest
   */
  private record Exclusion(
      CoverageGroup group, Predicate<DeviceProfile> devices, String name, String reason) {
    /** Selects the names that the exclusion matches. */
    Stream<String> among(Set<String> names) {
      if (name.endsWith("*")) {
        String start = name.substring(0, name.length() - 1);
        return names.stream().filter(candidate -> candidate.startsWith(start));
      }
      return names.contains(name) ? Stream.of(name) : Stream.empty();
    }
  }

  /** Parses {@code always}, {@code with QUIRK} or {@code without CAPABILITY}. */
  private static Predicate<DeviceProfile> devices(String text) {
    String[] words = text.split(" ", -1);
    switch (words[0]) {
      case "with" -> {
        Quirk quirk = Quirk.valueOf(words[1]);
        return profile -> profile.has(quirk);
      }
      case "without" -> {
        DeviceCapFlag capability = DeviceCapFlag.valueOf(words[1]);
        return profile -> !profile.can(capability);
      }
      default -> {
        return profile -> true;
      }
    }
  }

  private static List<Exclusion> read() {
    List<Exclusion> exclusions = new ArrayList<>();
    try (InputStream file = CoverageExclusions.class.getResourceAsStream("unreachable.tsv")) {
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .forEach(
              fields -> {
                for (String name : fields[2].split(" ", -1)) {
                  CoverageGroup group = CoverageGroup.valueOf(fields[0]);
                  exclusions.add(new Exclusion(group, devices(fields[1]), name, fields[3]));
                }
              });
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return List.copyOf(exclusions);
  }

  /** Coverage of all states and transitions, none entered yet. */
  Coverage statesAndTransitions() {
    return NOTHING_YET.computeIfAbsent(Kind.of(profile), Kind::nothingYet);
  }

  /** Reasons why names can never be covered, for groups other than states and transitions. */
  Map<String, String> of(CoverageGroup group, Set<String> names) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (Exclusion exclusion : TABLE) {
      if (exclusion.group == group && exclusion.devices.test(profile)) {
        exclusion.among(names).forEach(name -> reasons.put(name, exclusion.reason));
      }
    }
    return reasons;
  }

  private static Map<String, Long> noStates() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (QpType type : QpType.values()) {
      for (QpState state : QpState.values()) {
        all.put(DeviceStatistics.nameOf(type, state), 0L);
      }
    }
    return all;
  }

  private static Map<String, Long> noTransitions() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (QpType type : QpType.values()) {
      for (QpState from : QpState.values()) {
        for (QpState to : QpState.values()) {
          all.put(DeviceStatistics.nameOf(type, from, to), 0L);
        }
      }
    }
    return all;
  }
}
