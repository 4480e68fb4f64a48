// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.TsvTable;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each builder has the setters of the man page, on each type of queue pair, and no others. */
final class PostingTableTest {
  private static final List<QpType> TYPES =
      List.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.RAW_PACKET);
  private static final int FIRST_TYPE = 2;

  private static final int WORD = 8;

  private static final Map<String, BiConsumer<ExtendedQpFixture, WrBatch>> BUILDERS =
      Map.ofEntries(
          Map.entry("send", (bed, wr) -> wr.send()),
          Map.entry("sendImm", (bed, wr) -> wr.sendImm(1)),
          Map.entry("sendInv", (bed, wr) -> wr.sendInv(1)),
          Map.entry("sendTso", (bed, wr) -> wr.sendTso(ByteBuffer.allocate(14), 4)),
          Map.entry("rdmaWrite", (bed, wr) -> wr.rdmaWrite(rkey(bed), addr(bed))),
          Map.entry("rdmaWriteImm", (bed, wr) -> wr.rdmaWriteImm(rkey(bed), addr(bed), 1)),
          Map.entry("rdmaRead", (bed, wr) -> wr.rdmaRead(rkey(bed), addr(bed))),
          Map.entry("atomicCmpSwp", (bed, wr) -> wr.atomicCmpSwp(rkey(bed), addr(bed), 1, 2)),
          Map.entry("atomicFetchAdd", (bed, wr) -> wr.atomicFetchAdd(rkey(bed), addr(bed), 1)),
          Map.entry(
              "atomicWrite",
              (bed, wr) -> wr.atomicWrite(rkey(bed), addr(bed), ByteBuffer.allocate(WORD))),
          Map.entry(
              "flush",
              (bed, wr) ->
                  wr.flush(
                      rkey(bed),
                      addr(bed),
                      WORD,
                      Set.of(PlacementType.GLOBAL),
                      SelectivityLevel.RANGE)),
          Map.entry("bindMw", (bed, wr) -> wr.bindMw(bed.mw, bed.mw.rkey(), window(bed))),
          Map.entry("localInv", (bed, wr) -> wr.localInv(1)));

  /** Name of a setter in the table, and its call. */
  private enum SetterRow {
    SET_SGE("data", (bed, wr) -> wr.setSge(bed.local.sge(0, WORD))),
    SET_SGE_LIST(
        "data", (bed, wr) -> wr.setSgeList(List.of(bed.local.sge(0, 4), bed.local.sge(4, 4)))),
    SET_INLINE_DATA("inline", (bed, wr) -> wr.setInlineData(ByteBuffer.allocate(WORD))),
    SET_INLINE_DATA_LIST(
        "inline",
        (bed, wr) -> wr.setInlineDataList(List.of(ByteBuffer.allocate(3), ByteBuffer.allocate(5)))),
    SET_UD_ADDR("ud", (bed, wr) -> wr.setUdAddr(bed.ah, bed.target.qpNum(), Attributes.QKEY)),
    SET_XRC_SRQN("xrc", (bed, wr) -> wr.setXrcSrqn(bed.srqn()));

    private final String word;
    private final BiConsumer<ExtendedQpFixture, WrBatch> call;

    SetterRow(String word, BiConsumer<ExtendedQpFixture, WrBatch> call) {
      this.word = word;
      this.call = call;
    }

    boolean isAddress() {
      return word.equals("ud") || word.equals("xrc");
    }

    boolean isIn(String cell) {
      return List.of(cell.split(" ")).contains(word);
    }
  }

  private static int rkey(ExtendedQpFixture bed) {
    return bed.remote.rkey();
  }

  private static long addr(ExtendedQpFixture bed) {
    return bed.remote.addr();
  }

  /** All that peers may access anyway. */
  private static MwBindInfo window(ExtendedQpFixture bed) {
    return Window.over(bed.remote, Window.ALL_REMOTE);
  }

  private static List<String[]> rows() {
    return TsvTable.rows(PostingTableTest.class, "wr_setters.tsv");
  }

  private static SendOpsFlag flag(String[] row) {
    return SendOpsFlag.valueOf("WITH_" + row[1]);
  }

  private static Stream<Arguments> cells() {
    return rows().stream()
        .flatMap(
            row ->
                TYPES.stream()
                    .map(
                        type ->
                            arguments(
                                row[0], flag(row), type, row[FIRST_TYPE + TYPES.indexOf(type)])));
  }

  private static boolean exists(Arguments cell) {
    return !cell.get()[3].equals("-");
  }

  static Stream<Arguments> offered() {
    return cells().filter(PostingTableTest::exists);
  }

  static Stream<Arguments> notOffered() {
    return cells().filter(cell -> !exists(cell));
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("notOffered")
  void anOperationThatDoesNotExistIsRefusedAtCreationAndInABatch(
      String builder, SendOpsFlag flag, QpType type, String cell) {
    assertThatThrownBy(() -> new ExtendedQpFixture(type, Set.of(flag)))
        .isInstanceOfSatisfying(
            VerbsException.class,
            refusal -> {
              assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
              assertThat(refusal.verb()).isEqualTo("ibv_create_qp_ex");
            })
        .hasMessageContaining(flag.name())
        .hasMessageContaining(type.name());
    try (ExtendedQpFixture bed = new ExtendedQpFixture(type, Set.of(SendOpsFlag.WITH_SEND))) {
      assertRefused(bed, wr -> BUILDERS.get(builder).accept(bed, wr), "created without " + flag);
    }
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("offered")
  void anOperationHasTheSettersOfTheTable(
      String builder, SendOpsFlag flag, QpType type, String cell) {
    for (SetterRow setter : SetterRow.values()) {
      try (ExtendedQpFixture bed = new ExtendedQpFixture(type, Set.of(flag))) {
        String what = builder + " on " + type + " with " + setter;
        BadWorkRequestException refusal =
            bed.refusalOf(
                wr -> {
                  BUILDERS.get(builder).accept(bed, wr);
                  setter.call.accept(bed, wr);
                  completeWith(setter, cell).forEach(other -> other.call.accept(bed, wr));
                });
        if (setter.isIn(cell)) {
          assertThat(refusal).as(what).isNull();
          assertThat(bed.sends()).as(what).hasSize(1);
        } else {
          assertThat(refusal).as(what).isNotNull();
          assertThat(refusal.errno()).as(what).isEqualTo(Errno.EINVAL);
          assertThat(bed.sends()).as(what).isEmpty();
        }
      }
    }
  }

  /** Setters needed besides the given one: the address, and the eight bytes of an atomic. */
  private static Set<SetterRow> completeWith(SetterRow given, String cell) {
    Set<SetterRow> rest = EnumSet.noneOf(SetterRow.class);
    Arrays.stream(SetterRow.values())
        .filter(setter -> setter.isAddress() && setter != given && setter.isIn(cell))
        .forEach(rest::add);
    boolean needsData = given.isAddress() && SetterRow.SET_SGE.isIn(cell);
    if (needsData) {
      rest.add(SetterRow.SET_SGE);
    }
    return rest;
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("offered")
  void anAddressIsAMustWhereThereIsOne(String builder, SendOpsFlag flag, QpType type, String cell) {
    boolean isAMust = SetterRow.SET_UD_ADDR.isIn(cell) || SetterRow.SET_XRC_SRQN.isIn(cell);
    try (ExtendedQpFixture bed = new ExtendedQpFixture(type, Set.of(flag))) {
      BadWorkRequestException refusal =
          bed.refusalOf(
              wr -> {
                BUILDERS.get(builder).accept(bed, wr);
                if (SetterRow.SET_SGE.isIn(cell)) {
                  SetterRow.SET_SGE.call.accept(bed, wr);
                }
              });

      assertThat(refusal != null).isEqualTo(isAMust);
      assertThat(bed.sends()).hasSize(isAMust ? 0 : 1);
    }
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("offered")
  void noSetterMayBeRepeated(String builder, SendOpsFlag flag, QpType type, String cell) {
    for (SetterRow setter : SetterRow.values()) {
      try (ExtendedQpFixture bed = new ExtendedQpFixture(type, Set.of(flag))) {
        assertRefused(
            bed,
            wr -> {
              BUILDERS.get(builder).accept(bed, wr);
              setter.call.accept(bed, wr);
              completeWith(setter, cell).forEach(other -> other.call.accept(bed, wr));
              setter.call.accept(bed, wr);
            },
            setter.isIn(cell) ? "already" : "does not have");
      }
    }
  }

  private static void assertRefused(
      ExtendedQpFixture bed, Consumer<WrBatch> requests, String words) {
    assertThatThrownBy(() -> bed.post(requests))
        .isInstanceOfSatisfying(
            BadWorkRequestException.class,
            refusal -> {
              assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
              assertThat(refusal.index()).isZero();
            })
        .hasMessageContaining(words);
    assertThat(bed.sends()).isEmpty();
  }

  @Test
  void everyBuilderAndEveryFlagIsInTheTable() {
    Set<String> builders = rows().stream().map(row -> row[0]).collect(Collectors.toSet());
    Set<String> declared = new TreeSet<>();
    Arrays.stream(WrBatch.class.getMethods())
        .map(Method::getName)
        .filter(name -> !name.startsWith("set") && !name.startsWith("wr"))
        .forEach(declared::add);
    declared.removeAll(Set.of("complete", "abort", "close"));

    assertThat(builders).isEqualTo(declared).isEqualTo(BUILDERS.keySet());
    assertThat(rows().stream().map(PostingTableTest::flag))
        .containsExactlyInAnyOrder(SendOpsFlag.values());
  }
}
