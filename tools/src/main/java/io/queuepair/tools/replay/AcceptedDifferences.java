package io.queuepair.tools.replay;

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
import java.util.zip.CRC32;

/** The differences to Soft-RoCE that are right, by rule, each with its reason. */
final class AcceptedDifferences {
  private static final String RESOURCE = "accepted-differences.tsv";

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private final List<AcceptedRule> rules = new ArrayList<>();

  /** Checksum of the scenario names of the recording that the rules are for. */
  private String recording = "";

  private AcceptedDifferences() {}

  /** No rules: every difference counts. */
  static AcceptedDifferences none() {
    return new AcceptedDifferences();
  }

  /**
   * The rules of one profile.
   *
   * @param profile its name
   * @return the rules, in the order of the file
   */
  static AcceptedDifferences of(String profile) {
    AcceptedDifferences accepted = all();
    accepted.rules.removeIf(rule -> !rule.isFor(profile));
    return accepted;
  }

  /** The rules of all profiles. */
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

  private void add(String line) {
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
    AcceptedRule rule = AcceptedRule.of(line);
    if (!reasons.containsKey(rule.reason())) {
      throw new IllegalArgumentException("a rule without a reason: " + line);
    }
    rules.add(rule);
  }

  /** Every reason by its key, in the order of the file. */
  Map<String, String> reasons() {
    return reasons;
  }

  /**
   * Whether the rules were made for a recording, so that each must have a hit.
   *
   * @param names the names of its scenarios, in order
   */
  boolean isFor(List<String> names) {
    CRC32 crc = new CRC32();
    names.forEach(name -> crc.update((name + "\n").getBytes(StandardCharsets.UTF_8)));
    return recording.equals(String.format("%08x", crc.getValue()));
  }

  List<AcceptedRule> rules() {
    return rules;
  }

  /** The first rule that accepts a difference. */
  Optional<AcceptedRule> ruleFor(Difference difference) {
    return rules.stream().filter(rule -> rule.accepts(difference)).findFirst();
  }
}
