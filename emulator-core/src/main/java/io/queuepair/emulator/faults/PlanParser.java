// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses a plan. */
final class PlanParser {
  private final Tokenizer tokens;
  private final ValueParser values;
  private final List<FaultStatement> statements = new ArrayList<>();
  private @Nullable Long seed;

  PlanParser(String text) {
    tokens = new Tokenizer(text);
    values = new ValueParser(tokens);
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

  private FaultStatement statement() {
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
