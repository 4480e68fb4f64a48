// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.PacketField;
import io.queuepair.emulator.wire.Psn;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses statements about packets. */
final class PacketFaultParser {
  private static final long MAX_QPN = 0xff_ffff;
  private static final long MAX_TIMER_CODE = 31;

  /** Largest index of a byte: the largest UDP payload over IPv4, less one. */
  private static final long MAX_BYTE = 65_506;

  private final Tokenizer tokenizer;
  private final ValueParser values;

  PacketFaultParser(Tokenizer tokenizer, ValueParser values) {
    this.tokenizer = tokenizer;
    this.values = values;
  }

  /** Parses a fault of packets, other than a partition or pause. */
  PacketFault fault() {
    return new PacketFault(effect(), selection());
  }

  private Effect effect() {
    return switch (tokenizer.word()) {
      case "drop" -> plain(new Effect.Drop());
      case "duplicate" -> plain(new Effect.Duplicate());
      case "reorder" -> plain(new Effect.Reorder());
      case "delay" -> delay();
      case "corrupt" -> corrupt();
      case "set" -> rewrite();
      case "forge" -> forge();
      default ->
          throw tokenizer.unexpected(
              "drop, duplicate, reorder, delay, corrupt, set, forge, partition, pause, port, kill,"
                  + " exhaust, fail, seed");
    };
  }

  Partition partition() {
    tokenizer.advance();
    List<InetAddress> hosts = hosts();
    List<InetAddress> others = tokenizer.accept("from") ? hosts() : List.of();
    return new Partition(hosts, others, values.during());
  }

  private List<InetAddress> hosts() {
    List<InetAddress> hosts = new ArrayList<>();
    do {
      hosts.add(values.host());
    } while (tokenizer.accept(","));
    return hosts;
  }

  Pause pause() {
    tokenizer.advance();
    InetAddress host = values.host();
    Condition.During during = values.during();
    if (during.forNanos() == 0) {
      throw tokenizer.unexpected("for, and a time: a pause has an end");
    }
    return new Pause(host, during);
  }

  private Effect plain(Effect effect) {
    tokenizer.advance();
    return effect;
  }

  private Effect delay() {
    tokenizer.advance();
    boolean isLimit = tokenizer.accept("up");
    if (isLimit && !tokenizer.accept("to")) {
      throw tokenizer.unexpected("to");
    }
    return new Effect.Delay(isLimit, values.someNanos());
  }

  private Effect corrupt() {
    tokenizer.advance();
    if (tokenizer.accept("byte")) {
      return new Effect.CorruptByte((int) values.number(MAX_BYTE));
    }
    if (tokenizer.accept("icrc")) {
      return new Effect.CorruptIcrc();
    }
    PacketField field = ValueParser.fieldNamed(tokenizer.word());
    return field == null ? new Effect.CorruptBit() : new Effect.CorruptField(values.field());
  }

  private Effect rewrite() {
    tokenizer.advance();
    PacketField field = values.field();
    String word = tokenizer.word();
    int sign = word.startsWith("+") ? 1 : word.startsWith("-") ? -1 : 0;
    return new Effect.Rewrite(field, sign, values.signed(sign, field.mask()));
  }

  private Effect forge() {
    tokenizer.advance();
    if (tokenizer.accept("ack")) {
      return new Effect.ForgeAck();
    }
    if (tokenizer.accept("rnr_nak")) {
      return new Effect.ForgeRnrNak((int) values.number(MAX_TIMER_CODE));
    }
    if (!tokenizer.accept("nak")) {
      throw tokenizer.unexpected("ack, nak, rnr_nak");
    }
    for (NakCode code : NakCode.values()) {
      if (tokenizer.accept(code.name().toLowerCase(Locale.ROOT))) {
        return new Effect.ForgeNak(code);
      }
    }
    throw tokenizer.unexpected(
        Arrays.stream(NakCode.values())
            .map(code -> code.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ")));
  }

  /** Parses which packets are selected, up to the end of the statement. */
  private PacketFilter selection() {
    MatchCount matchCount = values.matchCount();
    if (!tokenizer.accept("of")) {
      tokenizer.accept("in");
    }
    PacketKind kind = kind();
    List<Condition> conditions = new ArrayList<>();
    while (!tokenizer.isAtEndOfStatement()) {
      conditions.add(condition(conditions));
    }
    return new PacketFilter(matchCount, kind, conditions);
  }

  private @Nullable PacketKind kind() {
    if (tokenizer.accept("packet")
        || tokenizer.accept("packets")
        || tokenizer.isAtEndOfStatement()) {
      return null;
    }
    PacketKind kind = PacketKind.named(tokenizer.word());
    if (kind != null) {
      tokenizer.advance();
    }
    return kind;
  }

  private Condition condition(List<Condition> previousConditions) {
    String word = tokenizer.word();
    FaultSyntaxException exception = tokenizer.wrong('"' + word + "\" is said twice");
    Condition condition =
        switch (word) {
          case "from" -> from();
          case "to" -> to();
          case "qp" -> qp();
          case "psn" -> psn();
          case "where" -> where();
          case "at", "for" -> values.during();
          default ->
              throw tokenizer.unexpected(
                  "an amount such as 3rd or 1%, an opcode or a group of opcodes, from, to, qp,"
                      + " psn, where, at, for, or the end of the statement");
        };
    if (previousConditions.stream().anyMatch(other -> other.getClass() == condition.getClass())) {
      throw exception;
    }
    return condition;
  }

  private Condition from() {
    tokenizer.advance();
    return new Condition.From(values.host());
  }

  private Condition to() {
    tokenizer.advance();
    return new Condition.To(values.host());
  }

  private Condition qp() {
    tokenizer.advance();
    return new Condition.Qp((int) values.number(MAX_QPN));
  }

  private Condition psn() {
    tokenizer.advance();
    long[] range = values.range(Psn.MASK);
    return new Condition.PsnRange((int) range[0], (int) range[1]);
  }

  private Condition where() {
    List<FieldComparison> comparisons = new ArrayList<>();
    do {
      tokenizer.advance();
      PacketField field = values.field();
      FieldComparison.Operator operator = FieldComparison.Operator.of(tokenizer.word());
      if (operator == null) {
        throw tokenizer.unexpected("=, !=, <, <=, >, >=");
      }
      tokenizer.advance();
      comparisons.add(new FieldComparison(field, operator, values.number(field.mask())));
    } while (tokenizer.word().equals("and"));
    return new Condition.Where(comparisons);
  }
}
