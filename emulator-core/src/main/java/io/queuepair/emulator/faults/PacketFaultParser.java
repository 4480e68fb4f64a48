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

  /** The largest UDP payload, less one. */
  private static final long MAX_BYTE = 65_506;

  private final Tokenizer tokens;
  private final ValueParser values;

  PacketFaultParser(Tokenizer tokens, ValueParser values) {
    this.tokens = tokens;
    this.values = values;
  }

  /** One that does something to packets, and cuts no host off. */
  PacketFault fault() {
    return new PacketFault(effect(), selection());
  }

  private Effect effect() {
    return switch (tokens.word()) {
      case "drop" -> plain(new Effect.Drop());
      case "duplicate" -> plain(new Effect.Duplicate());
      case "reorder" -> plain(new Effect.Reorder());
      case "delay" -> delay();
      case "corrupt" -> corrupt();
      case "set" -> rewrite();
      case "forge" -> forge();
      default ->
          throw tokens.unexpected(
              "drop, duplicate, reorder, delay, corrupt, set, forge, partition, pause, port, kill,"
                  + " exhaust, fail, seed");
    };
  }

  /** Cuts hosts off. */
  Partition partition() {
    tokens.advance();
    List<InetAddress> hosts = hosts();
    List<InetAddress> others = tokens.accept("from") ? hosts() : List.of();
    return new Partition(hosts, others, values.during());
  }

  private List<InetAddress> hosts() {
    List<InetAddress> hosts = new ArrayList<>();
    do {
      hosts.add(values.host());
    } while (tokens.accept(","));
    return hosts;
  }

  /** Makes a host wait. */
  Pause pause() {
    tokens.advance();
    InetAddress host = values.host();
    Condition.During during = values.during();
    if (during.forNanos() == 0) {
      throw tokens.unexpected("for, and a time: a pause has an end");
    }
    return new Pause(host, during);
  }

  private Effect plain(Effect effect) {
    tokens.advance();
    return effect;
  }

  private Effect delay() {
    tokens.advance();
    boolean isLimit = tokens.accept("up");
    if (isLimit && !tokens.accept("to")) {
      throw tokens.unexpected("to");
    }
    return new Effect.Delay(isLimit, values.someNanos());
  }

  private Effect corrupt() {
    tokens.advance();
    if (tokens.accept("byte")) {
      return new Effect.CorruptByte((int) values.number(MAX_BYTE));
    }
    if (tokens.accept("icrc")) {
      return new Effect.CorruptIcrc();
    }
    PacketField field = ValueParser.fieldNamed(tokens.word());
    return field == null ? new Effect.CorruptBit() : new Effect.CorruptField(values.field());
  }

  private Effect rewrite() {
    tokens.advance();
    PacketField field = values.field();
    String word = tokens.word();
    int sign = word.startsWith("+") ? 1 : word.startsWith("-") ? -1 : 0;
    return new Effect.Rewrite(field, sign, values.signed(sign, field.mask()));
  }

  private Effect forge() {
    tokens.advance();
    if (tokens.accept("ack")) {
      return new Effect.ForgeAck();
    }
    if (tokens.accept("rnr_nak")) {
      return new Effect.ForgeRnrNak((int) values.number(MAX_TIMER_CODE));
    }
    if (!tokens.accept("nak")) {
      throw tokens.unexpected("ack, nak, rnr_nak");
    }
    for (NakCode code : NakCode.values()) {
      if (tokens.accept(code.name().toLowerCase(Locale.ROOT))) {
        return new Effect.ForgeNak(code);
      }
    }
    throw tokens.unexpected(
        Arrays.stream(NakCode.values())
            .map(code -> code.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ")));
  }

  /** Which packets are meant, up to the end of the statement. */
  private PacketFilter selection() {
    MatchCount amount = values.amount();
    if (!tokens.accept("of")) {
      tokens.accept("in");
    }
    PacketKind kind = kind();
    List<Condition> conditions = new ArrayList<>();
    while (!tokens.isAtEndOfStatement()) {
      conditions.add(condition(conditions));
    }
    return new PacketFilter(amount, kind, conditions);
  }

  private @Nullable PacketKind kind() {
    if (tokens.accept("packet") || tokens.accept("packets") || tokens.isAtEndOfStatement()) {
      return null;
    }
    PacketKind kind = PacketKind.named(tokens.word());
    if (kind != null) {
      tokens.advance();
    }
    return kind;
  }

  private Condition condition(List<Condition> before) {
    String word = tokens.word();
    FaultSyntaxException twice = tokens.wrong('"' + word + "\" is said twice");
    Condition condition =
        switch (word) {
          case "from" -> from();
          case "to" -> to();
          case "qp" -> qp();
          case "psn" -> psn();
          case "where" -> where();
          case "at", "for" -> values.during();
          default ->
              throw tokens.unexpected(
                  "an amount such as 3rd or 1%, an opcode or a group of opcodes, from, to, qp,"
                      + " psn, where, at, for, or the end of the statement");
        };
    if (before.stream().anyMatch(other -> other.getClass() == condition.getClass())) {
      throw twice;
    }
    return condition;
  }

  private Condition from() {
    tokens.advance();
    return new Condition.From(values.host());
  }

  private Condition to() {
    tokens.advance();
    return new Condition.To(values.host());
  }

  private Condition qp() {
    tokens.advance();
    return new Condition.Qp((int) values.number(MAX_QPN));
  }

  private Condition psn() {
    tokens.advance();
    long[] range = values.range(Psn.MASK);
    return new Condition.PsnRange((int) range[0], (int) range[1]);
  }

  private Condition where() {
    List<FieldComparison> comparisons = new ArrayList<>();
    do {
      tokens.advance();
      PacketField field = values.field();
      FieldComparison.Operator operator = FieldComparison.Operator.of(tokens.word());
      if (operator == null) {
        throw tokens.unexpected("=, !=, <, <=, >, >=");
      }
      tokens.advance();
      comparisons.add(new FieldComparison(field, operator, values.number(field.mask())));
    } while (tokens.word().equals("and"));
    return new Condition.Where(comparisons);
  }
}
