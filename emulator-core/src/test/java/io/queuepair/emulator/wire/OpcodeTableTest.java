// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Opcode.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The enum against {@code opcodes.tsv}, the table of the InfiniBand specification. */
class OpcodeTableTest {
  private static final int ROWS = 85;

  @ParameterizedTest(name = "{1}")
  @CsvFileSource(resources = "/opcodes.tsv", delimiter = '\t', numLinesToSkip = 1)
  void hasTheCodeAndTheHeadersOfTheTable(String code, String name, String headers, int bytes) {
    Opcode opcode = Opcode.valueOf(name);

    assertThat(opcode.code()).isEqualTo(Integer.decode(code));
    assertThat(Opcode.ofCode(opcode.code())).isSameAs(opcode);
    assertThat(headerNames(opcode)).isEqualTo(headers.toUpperCase(Locale.ROOT));
    assertThat(opcode.headerBytes()).isEqualTo(bytes);
    assertThat(opcode.hasImmediate()).isEqualTo(headers.contains("ImmDt"));
    assertThat(opcode.hasInvalidate()).isEqualTo(headers.contains("IETH"));
  }

  @ParameterizedTest(name = "{1}")
  @CsvFileSource(resources = "/opcodes.tsv", delimiter = '\t', numLinesToSkip = 1)
  void hasThePayloadAndTheRoleOfTheTable(ArgumentsAccessor row) {
    Opcode opcode = Opcode.valueOf(row.getString(1));

    assertThat(opcode.payloadRule()).isEqualTo(payloadRule(row.getString(4)));
    assertThat(role(opcode)).isEqualTo(row.getString(5));
  }

  @Test
  void everyOtherCodeIsReserved() {
    long known = IntStream.range(0, 256).filter(c -> Opcode.ofCode(c) != null).count();

    assertThat(known).isEqualTo(ROWS);
    assertThat(Opcode.values()).hasSize(ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void isNamedAfterItsServiceWhichIsInBitsSevenToFive(Opcode opcode) {
    assertThat(opcode.code() >>> 5).isEqualTo(opcode.service().code());
    assertThat(opcode.name()).startsWith(opcode.service().name());
    assertThat(opcode.name()).contains(nameOfOperation(opcode));
  }

  @ParameterizedTest
  @EnumSource
  void isSelectedByWhatItIs(Opcode opcode) {
    Opcode selected =
        Opcode.select(
            opcode.service(),
            opcode.operation(),
            opcode.position(),
            opcode.hasImmediate(),
            opcode.hasInvalidate());

    assertThat(selected).isSameAs(opcode);
  }

  @Test
  void selectsNothingForWhatAServiceDoesNotHave() {
    assertThat(Opcode.select(Service.UC, Operation.SEND, Position.ONLY, false, true)).isNull();
    assertThat(Opcode.select(Service.UD, Operation.SEND, Position.FIRST, false, false)).isNull();
    assertThat(Opcode.select(Service.RC, Operation.SEND, Position.LAST, true, true)).isNull();
    assertThat(Opcode.select(Service.XRC, Operation.FLUSH, Position.ONLY, false, false)).isNull();
  }

  private static String headerNames(Opcode opcode) {
    List<String> names = new ArrayList<>(List.of("BTH"));
    opcode.headers().forEach(kind -> names.add(kind.name().replace("_", "")));
    return String.join(" + ", names);
  }

  private static PayloadRule payloadRule(String words) {
    return switch (words) {
      case "none" -> PayloadRule.NONE;
      case "exactly PMTU" -> PayloadRule.EXACTLY_MTU;
      case "1..PMTU" -> PayloadRule.UP_TO_MTU_NOT_EMPTY;
      case "0..PMTU" -> PayloadRule.UP_TO_MTU;
      case "exactly 8" -> PayloadRule.EIGHT;
      default -> throw new IllegalArgumentException(words);
    };
  }

  private static String role(Opcode opcode) {
    if (opcode.isResponse()) {
      return "response";
    }
    if (!opcode.isRequest()) {
      return "congestion notification";
    }
    if (opcode.operation() != Operation.SEND && opcode.operation() != Operation.RDMA_WRITE) {
      return "request";
    }
    return switch (opcode.position()) {
      case FIRST -> "start";
      case MIDDLE -> "mid";
      case LAST -> "end";
      case ONLY -> "start+end";
    };
  }

  private static String nameOfOperation(Opcode opcode) {
    return opcode == Opcode.CNP ? "CNP" : opcode.operation().name();
  }
}
