// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.NodeType;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.Rate;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every constant has the name, the value and the text that it has in C, and none is missing. */
final class VerbsEnumsTest {
  private static final List<String[]> ROWS = TsvTable.rows("verbs_enums.tsv");
  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int TEXT = 3;

  static Stream<Arguments> enums() {
    return TsvTable.rows("verbs_enum_types.tsv").stream()
        .map(row -> Arguments.of(row[1], row[2], constants(row[0])));
  }

  private static VerbsConstant[] constants(String type) {
    try {
      String verbs = VerbsConstant.class.getPackageName() + ".";
      return (VerbsConstant[]) Class.forName(verbs + type).getEnumConstants();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("enums")
  void namesAndValuesAreThoseOfC(String cEnum, String prefix, VerbsConstant[] constants) {
    Map<String, Integer> expected = new TreeMap<>();
    rowsOf(cEnum).forEach(row -> expected.put(row[NAME], Integer.parseInt(row[VALUE])));
    Map<String, Integer> actual = new TreeMap<>();
    for (VerbsConstant constant : constants) {
      actual.put(prefix + constant, constant.code());
    }

    assertThat(actual).isEqualTo(expected);
  }

  private static Stream<String[]> rowsOf(String cEnum) {
    return ROWS.stream().filter(row -> row[0].equals(cEnum));
  }

  static Stream<Arguments> texts() {
    return Stream.of(
        texts("ibv_event_type", "IBV_EVENT_", EventType.values(), EventType::text),
        texts("ibv_node_type", "IBV_NODE_", NodeType.values(), NodeType::text),
        texts("ibv_port_state", "IBV_PORT_", PortState.values(), PortState::text),
        texts("ibv_wc_status", "IBV_WC_", WcStatus.values(), WcStatus::text),
        texts("ibv_wr_opcode", "IBV_WR_", WrOpcode.values(), WrOpcode::text));
  }

  private static <T> Arguments texts(
      String cEnum, String prefix, T[] constants, Function<T, String> text) {
    Map<String, String> texts = new TreeMap<>();
    Arrays.stream(constants).forEach(each -> texts.put(prefix + each, text.apply(each)));
    return Arguments.of(cEnum, texts);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void textsAreThoseOfTheStrFunctions(String cEnum, Map<String, String> actual) {
    Map<String, String> expected = new TreeMap<>();
    rowsOf(cEnum)
        .filter(row -> !row[TEXT].isEmpty())
        .forEach(row -> expected.put(row[NAME], row[TEXT]));

    assertThat(actual).containsAllEntriesOf(expected);
  }

  @ParameterizedTest
  @EnumSource(QpAttrMask.class)
  void attributesAreSingleBits(QpAttrMask attribute) {
    assertThat(Integer.bitCount(attribute.code())).isOne();
  }

  /** {@code IBV_WC_STANDARD_FLAGS} of the header. */
  @Test
  void theStandardFieldsOfACompletionAreThoseOfC() {
    assertThat(VerbsConstant.mask(CreateCqWcFlag.standard())).isEqualTo(0x7f);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errnos.csv")
  void errorNumbersAreThoseOfLinux(Errno errno, int value) {
    assertThat(errno.code()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "rates.csv")
  void ratesAreConvertedAsInC(Rate rate, int mult, int mbps) {
    assertThat(rate.toMult()).isEqualTo(mult);
    assertThat(rate.toMbps()).isEqualTo(mbps);
    assertThat(Rate.ofMult(mult)).isEqualTo(mult == -1 ? Rate.RATE_MAX : rate);
    assertThat(Rate.ofMbps(mbps)).isEqualTo(rate);
  }

  @Test
  void whatNoRateIsBecomesTheMaximum() {
    assertThat(Rate.ofMult(3)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMult(-1)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMbps(10_001)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMbps(-1)).isEqualTo(Rate.RATE_MAX);
  }
}
