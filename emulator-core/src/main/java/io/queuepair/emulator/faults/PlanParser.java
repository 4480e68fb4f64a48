package io.queuepair.emulator.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads a whole plan. */
final class PlanParser {
  private final Tokens tokens;
  private final Values values;
  private final List<Statement> statements = new ArrayList<>();
  private Long seed;

  PlanParser(String text) {
    tokens = new Tokens(text);
    values = new Values(tokens);
  }

  FaultPlan parse() {
    tokens.skipSeparators();
    while (!tokens.isAtEnd()) {
      parseStatement();
      if (!tokens.isAtEndOfStatement()) {
        throw tokens.unexpected("a condition, or the end of the statement");
      }
      tokens.skipSeparators();
    }
    return new FaultPlan(statements, Objects.requireNonNullElse(seed, 0L));
  }

  private void parseStatement() {
    if (tokens.word().equals("seed")) {
      if (seed != null) {
        throw tokens.wrong("the seed is given twice");
      }
      tokens.advance();
      seed = values.seed();
      return;
    }
    statements.add(statement());
  }

  private Statement statement() {
    PacketFaultParser packets = new PacketFaultParser(tokens, values);
    DeviceFaultParser devices = new DeviceFaultParser(tokens, values);
    return switch (tokens.word()) {
      case "partition" -> packets.partition();
      case "pause" -> packets.pause();
      case "port" -> devices.port();
      case "kill" -> devices.kill();
      case "exhaust" -> devices.exhaust();
      case "fail" -> devices.fail();
      default -> packets.fault();
    };
  }
}
