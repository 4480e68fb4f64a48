// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultSyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statements {@code fault} of a scenario: a fault plan with device names in place of addresses. */
final class FaultStatements {
  static final String VERB = "fault";

  /** Words that can precede the name of a host. */
  static final String BEFORE_HOST = "\\b(?:from|to|of|port|kill|pause|partition)|,";

  private static final Pattern HOST = Pattern.compile("(" + BEFORE_HOST + ")( ?)\\b([A-Za-z]\\w*)");

  /** Verbs that send packets or advance time. */
  private static final Set<String> MOVING = Set.of(RunStatements.VERB, "post_send", "wr_complete");

  /** Faults that count calls of verbs, unless they begin at a given time. */
  private static final Pattern OF_CALLS = Pattern.compile("(?i)(?:fail|exhaust)\\b(?!.* at ).*");

  /** Statement {@code seed}, which a plan may have once. */
  private static final Pattern SEED = Pattern.compile("(?i)(?:^|;)\\s*seed\\b");

  private final Map<String, String> addresses = new LinkedHashMap<>();

  private FaultStatements(ScenarioFile file) {
    for (Statement statement : file.statements()) {
      if (statement.verb().equals(DeviceStatements.VERB) && !statement.isGap()) {
        try {
          addresses.putAll(DeviceStatements.address(statement.arguments(), addresses.size() + 1));
        } catch (StatementException exception) {
          throw wrong(file, statement, exception.getMessage());
        }
      }
    }
  }

  /** Fault plan of a scenario; all faults count from the beginning of the run. */
  static FaultPlan of(ScenarioFile file) {
    FaultStatements faults = new FaultStatements(file);
    StringJoiner plan = new StringJoiner("; ");
    boolean hasSeed = false;
    boolean hasDevice = false;
    boolean hasMoved = false;
    for (Statement statement : file.statements()) {
      hasDevice |= statement.verb().equals(DeviceStatements.VERB);
      hasMoved |= MOVING.contains(statement.verb());
      if (statement.verb().equals(VERB) && !statement.isGap()) {
        if (hasDevice && OF_CALLS.matcher(statement.rest()).matches()) {
          throw wrong(file, statement, "calls count from the beginning: put it before any device");
        }
        if (hasMoved) {
          throw wrong(file, statement, "faults count from the beginning: put it before any send");
        }
        String text = faults.checked(file, statement);
        boolean isSeed = SEED.matcher(text).find();
        if (isSeed && hasSeed) {
          throw wrong(file, statement, "the seed is given twice");
        }
        hasSeed |= isSeed;
        plan.add(text);
      }
    }
    return FaultPlan.parse(plan.toString());
  }

  private String checked(ScenarioFile file, Statement statement) {
    String text = HOST.matcher(statement.rest()).replaceAll(this::inFull);
    try {
      FaultPlan.parse(text);
      return text;
    } catch (FaultSyntaxException exception) {
      throw wrong(file, statement, exception.getMessage());
    }
  }

  private String inFull(MatchResult host) {
    String address = addresses.getOrDefault(host.group(3), host.group(3));
    return Matcher.quoteReplacement(host.group(1) + host.group(2) + address);
  }

  private static ScenarioException wrong(ScenarioFile file, Statement statement, String message) {
    return ScenarioException.at(
        file.path().toString(), statement.line(), statement.verb() + ": " + message);
  }
}
