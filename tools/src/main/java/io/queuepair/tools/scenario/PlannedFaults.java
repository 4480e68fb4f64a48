package io.queuepair.tools.scenario;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultSyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements {@code fault} of a scenario: its plan, with devices named as the scenario does.
 */
final class PlannedFaults {
  static final String VERB = "fault";

  private static final Pattern HOST =
      Pattern.compile("((?:\\b(?:from|to|of|port|pause|kill|partition)|,) )([A-Za-z]\\w*)\\b");

  private final Map<String, String> addresses = new LinkedHashMap<>();

  private PlannedFaults(List<Statement> statements) {
    for (Statement statement : statements) {
      if (statement.verb().equals(Setup.VERB)) {
        addresses.putAll(Setup.address(statement.arguments(), addresses.size() + 1));
      }
    }
  }

  /**
   * The plan of a scenario, in which all faults count from its beginning.
   *
   * @throws ScenarioException if a fault is not written as its language says
   */
  static FaultPlan of(ScenarioFile file) {
    PlannedFaults faults = new PlannedFaults(file.statements());
    StringJoiner plan = new StringJoiner("; ");
    boolean hasDevice = false;
    for (Statement statement : file.statements()) {
      hasDevice |= statement.verb().equals(Setup.VERB);
      if (statement.verb().equals(VERB)) {
        plan.add(faults.checked(file, statement, hasDevice));
      }
    }
    return FaultPlan.parse(plan.toString());
  }

  private String checked(ScenarioFile file, Statement statement, boolean isLate) {
    if (isLate) {
      throw wrong(file, statement, "faults are planned before the first device");
    }
    String text = HOST.matcher(statement.rest()).replaceAll(this::inFull);
    try {
      FaultPlan.parse(text);
      return text;
    } catch (FaultSyntaxException wrong) {
      throw wrong(file, statement, wrong.getMessage());
    }
  }

  private String inFull(MatchResult host) {
    String address = addresses.getOrDefault(host.group(2), host.group(2));
    return Matcher.quoteReplacement(host.group(1) + address);
  }

  private static ScenarioException wrong(ScenarioFile file, Statement statement, String message) {
    return ScenarioException.at(file.path().toString(), statement.line(), VERB + ": " + message);
  }
}
