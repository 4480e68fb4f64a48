// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32;

/** Accepted differences from recordings of Soft-RoCE: rules, each with its reason. */
final class AcceptedDifferences {
  private static final String RESOURCE = "accepted-differences.tsv";

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private final List<AcceptedRule> rules = new ArrayList<>();

  /** CRC-32 of the scenario names for which the rules were written, in hexadecimal. */
  private String recording = "";

  private AcceptedDifferences() {}

  /** Returns no rules: every difference counts. */
  static AcceptedDifferences none() {
    return new AcceptedDifferences();
  }

  /** Rules of a profile, in the order of the file. */
  static AcceptedDifferences of(String profile) {
    AcceptedDifferences accepted = all();
    accepted.rules.removeIf(rule -> !rule.isFor(profile));
    return accepted;
  }

  static AcceptedDifferences all() {
    AcceptedDifferences all = new AcceptedDifferences();
    try (InputStream resource = AcceptedDifferences.class.getResourceAsStream(RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        all.add(line);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(RESOURCE, unreadable);
    }
    return all;
  }

  void add(String line) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    String[] columns = line.split("\t", -1);
    if (columns.length == 2 && columns[0].equals("recording")) {
      recording = columns[1];
      return;
    }
    if (columns.length == 3 && columns[0].equals("reason")) {
      reasons.put(columns[1], columns[2]);
      return;
    }
    for (AcceptedRule rule : AcceptedRule.allOf(line)) {
      if (!reasons.containsKey(rule.reason())) {
        throw new IllegalArgumentException("a rule without a reason: " + line);
      }
      rules.add(rule);
    }
  }

  /** Text of every reason by its key, in the order of the file. */
  Map<String, String> reasons() {
    return reasons;
  }

  /** Whether the rules were written for exactly these scenarios; only then must each rule match. */
  boolean isFor(List<String> names) {
    CRC32 crc = new CRC32();
    names.forEach(name -> crc.update((name + "\n").getBytes(StandardCharsets.UTF_8)));
    return recording.equals(String.format("%08x", crc.getValue()));
  }

  List<AcceptedRule> rules() {
    return rules;
  }

  /**
   * Finds the rules that accept the differences of one scenario. A difference that follows from an
   * accepted cause on the same queue pair is accepted with it.
   *
   * @return the first matching rule of each accepted difference, in the order of the differences
   */
  Map<Difference, AcceptedRule> rulesFor(Scenario scenario, List<Difference> differences) {
    Map<String, Integer> stepOfCause = new LinkedHashMap<>();
    QueuePairUse use = new QueuePairUse(scenario);
    List<Divergence> divergences = new ArrayList<>();
    for (Difference difference : differences) {
      first(difference, scenario, rule -> !rule.condition().isConsequence())
          .ifPresent(rule -> stepOfCause.putIfAbsent(rule.reason(), difference.step()));
      first(difference, scenario, AcceptedRule::isCause)
          .ifPresent(rule -> divergences.add(Divergence.at(difference, rule, use)));
    }
    Map<Difference, AcceptedRule> accepted = new LinkedHashMap<>();
    for (Difference difference : differences) {
      divergences.stream()
          .filter(divergence -> divergence.leadsTo(difference, use))
          .map(Divergence::cause)
          .findFirst()
          .or(
              () ->
                  first(
                      difference, scenario, rule -> hasCause(rule, difference.step(), stepOfCause)))
          .ifPresent(rule -> accepted.put(difference, rule));
    }
    return accepted;
  }

  private static boolean hasCause(AcceptedRule rule, int step, Map<String, Integer> stepOfCause) {
    return !rule.condition().isConsequence()
        || stepOfCause.getOrDefault(rule.reason(), Integer.MAX_VALUE) <= step;
  }

  private Optional<AcceptedRule> first(
      Difference difference, Scenario scenario, Predicate<AcceptedRule> isPossible) {
    return rules.stream()
        .filter(isPossible)
        .filter(rule -> rule.accepts(difference, scenario))
        .findFirst();
  }
}
