// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses a plan. */
final class PlanParser {
  private final Tokenizer tokenizer;
  private final ValueParser values;
  private final List<FaultStatement> statements = new ArrayList<>();
  private @Nullable Long seed;

  PlanParser(String text) {
    tokenizer = new Tokenizer(text);
    values = new ValueParser(tokenizer);
  }

  FaultPlan parse() {
    tokenizer.skipSeparators();
    while (!tokenizer.isAtEnd()) {
      parseStatement();
      if (!tokenizer.isAtEndOfStatement()) {
        throw tokenizer.unexpected("a condition, or the end of the statement");
      }
      tokenizer.skipSeparators();
    }
    return new FaultPlan(statements, Objects.requireNonNullElse(seed, 0L));
  }

  private void parseStatement() {
    if (tokenizer.word().equals("seed")) {
      if (seed != null) {
        throw tokenizer.wrong("the seed is given twice");
      }
      tokenizer.advance();
      seed = values.seed();
      return;
    }
    statements.add(statement());
  }

  private FaultStatement statement() {
    PacketFaultParser packets = new PacketFaultParser(tokenizer, values);
    DeviceFaultParser devices = new DeviceFaultParser(tokenizer, values);
    return switch (tokenizer.word()) {
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
