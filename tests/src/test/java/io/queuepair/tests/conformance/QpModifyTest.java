// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** What modify checks besides the table, and what it leaves behind. */
final class QpModifyTest {
  private static final Set<QpAttrMask> TO_RTR =
      EnumSet.of(
          QpAttrMask.STATE,
          QpAttrMask.AV,
          QpAttrMask.PATH_MTU,
          QpAttrMask.RQ_PSN,
          QpAttrMask.MIN_RNR_TIMER,
          QpAttrMask.MAX_DEST_RD_ATOMIC,
          QpAttrMask.DEST_QPN);
  private static final Set<QpAttrMask> TO_RTS =
      EnumSet.of(
          QpAttrMask.STATE,
          QpAttrMask.TIMEOUT,
          QpAttrMask.RETRY_CNT,
          QpAttrMask.RNR_RETRY,
          QpAttrMask.MAX_QP_RD_ATOMIC,
          QpAttrMask.SQ_PSN);
  private static final Set<QpAttrMask> TO_INIT =
      EnumSet.of(QpAttrMask.STATE, QpAttrMask.PORT, QpAttrMask.PKEY_INDEX, QpAttrMask.ACCESS_FLAGS);

  private static void assertRefused(Pair pair, QpAttr attr, Set<QpAttrMask> mask, String name) {
    String before = pair.a().qp().query().toString();

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> pair.a().qp().modify(attr, mask));

    assertThat(refusal).hasMessageContaining(name);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.verb()).isEqualTo("ibv_modify_qp");
    assertThat(pair.a().qp().query()).hasToString(before);
  }

  private static Arguments change(String name, UnaryOperator<QpAttr> change) {
    return Arguments.of(name, change);
  }

  static Stream<Arguments> wrongOnTheWayToInit() {
    return Stream.of(
        change("PORT", attr -> attr.portNum(0)),
        change("PORT", attr -> attr.portNum(3)),
        change("PKEY_INDEX", attr -> attr.pkeyIndex(1)),
        change("PKEY_INDEX", attr -> attr.pkeyIndex(16)),
        change("PKEY_INDEX", attr -> attr.pkeyIndex(-1)));
  }

  @ParameterizedTest
  @MethodSource("wrongOnTheWayToInit")
  void refusesWrongValuesOnTheWayToInit(String name, UnaryOperator<QpAttr> change) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RESET)) {
      QpAttr attr = change.apply(QpAttributeSamples.valid(pair).qpState(QpState.INIT));

      assertRefused(pair, attr, TO_INIT, name);
    }
  }

  static Stream<Arguments> wrongOnTheWayToRtr() {
    Gid dgid = new Gid(0, 0xffff_0a00_0002L);
    return Stream.of(
        change("MIN_RNR_TIMER", attr -> attr.minRnrTimer(32)),
        change("MIN_RNR_TIMER", attr -> attr.minRnrTimer(-1)),
        change("MAX_DEST_RD_ATOMIC", attr -> attr.maxDestRdAtomic(129)),
        change("MAX_DEST_RD_ATOMIC", attr -> attr.maxDestRdAtomic(-1)),
        change("PATH_MTU", attr -> attr.pathMtu(null)),
        change("DEST_QPN", attr -> attr.destQpNum(1 << 24)),
        change("AV", attr -> attr.ahAttr(null)),
        change("AV", attr -> attr.ahAttr(AhAttr.to(Gid.ZERO))),
        change("AV", attr -> attr.ahAttr(new AhAttr(GlobalRoute.to(dgid, 1), 0, 1))),
        change("AV", attr -> attr.ahAttr(new AhAttr(GlobalRoute.to(dgid, -1), 0, 1))),
        change("AV", attr -> attr.ahAttr(new AhAttr(GlobalRoute.to(dgid, 1024), 0, 1))),
        change("AV", attr -> attr.ahAttr(new AhAttr(GlobalRoute.to(dgid, 0), 0, 2))));
  }

  @ParameterizedTest
  @MethodSource("wrongOnTheWayToRtr")
  void refusesWrongValuesOnTheWayToRtr(String name, UnaryOperator<QpAttr> change) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.INIT)) {
      QpAttr attr = change.apply(QpAttributeSamples.valid(pair).qpState(QpState.RTR));

      assertRefused(pair, attr, TO_RTR, name);
    }
  }

  static Stream<Arguments> wrongOnTheWayToRts() {
    return Stream.of(
        change("TIMEOUT", attr -> attr.timeout(32)),
        change("TIMEOUT", attr -> attr.timeout(-1)),
        change("RETRY_CNT", attr -> attr.retryCnt(8)),
        change("RETRY_CNT", attr -> attr.retryCnt(-1)),
        change("RNR_RETRY", attr -> attr.rnrRetry(8)),
        change("RNR_RETRY", attr -> attr.rnrRetry(-1)),
        change("MAX_QP_RD_ATOMIC", attr -> attr.maxRdAtomic(129)),
        change("MAX_QP_RD_ATOMIC", attr -> attr.maxRdAtomic(-1)));
  }

  @ParameterizedTest
  @MethodSource("wrongOnTheWayToRts")
  void refusesWrongValuesOnTheWayToRts(String name, UnaryOperator<QpAttr> change) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTR)) {
      QpAttr attr = change.apply(QpAttributeSamples.valid(pair).qpState(QpState.RTS));

      assertRefused(pair, attr, TO_RTS, name);
    }
  }

  static Stream<Arguments> largestOnTheWayToRts() {
    return Stream.of(
        change("TIMEOUT", attr -> attr.timeout(31)),
        change("RETRY_CNT", attr -> attr.retryCnt(7)),
        change("RNR_RETRY", attr -> attr.rnrRetry(7)),
        change("MAX_QP_RD_ATOMIC", attr -> attr.maxRdAtomic(128)),
        change("all zero", attr -> attr.timeout(0).retryCnt(0).rnrRetry(0).maxRdAtomic(0)));
  }

  @ParameterizedTest
  @MethodSource("largestOnTheWayToRts")
  void takesTheEndsOfEachRange(String name, UnaryOperator<QpAttr> change) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTR)) {
      QpAttr attr = change.apply(QpAttributeSamples.valid(pair).qpState(QpState.RTS));

      pair.a().qp().modify(attr, TO_RTS);

      assertThat(pair.a().state()).as(name).isEqualTo(QpState.RTS);
    }
  }

  @Test
  void refusesAPathMtuAboveThatOfThePort() {
    InMemoryFabric small = InMemoryFabric.create(InMemoryOptions.virtualTime().withMtuBytes(1500));
    try (Pair pair = Pair.on(small).create()) {
      pair.a().toInit();
      QpAttr attr = QpAttributeSamples.valid(pair).qpState(QpState.RTR).pathMtu(Mtu.MTU_2048);

      assertThat(pair.a().context().queryPort(1).activeMtu()).isEqualTo(Mtu.MTU_1024);
      assertRefused(pair, attr, TO_RTR, "PATH_MTU");
    }
  }

  @Test
  void cutsPsnsTo24Bits() {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.INIT)) {
      QpAttr attr = QpAttributeSamples.valid(pair);
      pair.a().qp().modify(attr.qpState(QpState.RTR).rqPsn(0x7fff_fffe), TO_RTR);
      pair.a().qp().modify(attr.qpState(QpState.RTS).sqPsn(0x0100_0005), TO_RTS);

      assertThat(pair.a().qp().query().rqPsn()).isEqualTo(0xff_fffe);
      assertThat(pair.a().qp().query().sqPsn()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "INIT", "RTR", "RTS", "ERR"})
  void doesNothingWithAnEmptyMask(QpState state) {
    try (Pair pair = QpAttributeSamples.pairIn(state)) {
      String before = pair.a().qp().query().toString();

      pair.a().qp().modify(QpAttributeSamples.valid(pair), EnumSet.noneOf(QpAttrMask.class));

      assertThat(pair.a().qp().query()).hasToString(before);
    }
  }

  @Test
  void checksAMaskWithoutStateAsCurrentToCurrent() {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTS)) {
      QpAttr attr = QpAttributeSamples.valid(pair);

      pair.a().qp().modify(attr, EnumSet.of(QpAttrMask.MIN_RNR_TIMER));

      assertThat(pair.a().qp().query().minRnrTimer()).isEqualTo(3);
      assertRefused(pair, attr, EnumSet.of(QpAttrMask.TIMEOUT), "TIMEOUT");
    }
  }

  @Test
  void refusesAnyMaskWithoutStateInRtr() {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTR)) {
      assertRefused(
          pair, QpAttributeSamples.valid(pair), EnumSet.of(QpAttrMask.ACCESS_FLAGS), "RTR -> RTR");
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "INIT", "RTS", "SQD", "SQE", "ERR"})
  void refusesAWrongIdeaOfTheCurrentState(QpState claimed) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTR)) {
      QpAttr attr = QpAttributeSamples.valid(pair).qpState(QpState.RTS).curQpState(claimed);
      Set<QpAttrMask> mask = EnumSet.copyOf(TO_RTS);
      mask.add(QpAttrMask.CUR_STATE);

      assertRefused(pair, attr, mask, "CUR_STATE");
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"SQE", "UNKNOWN"})
  void refusesStatesThatNobodyCanAskFor(QpState state) {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTS)) {
      assertRefused(pair, QpAttr.to(state), EnumSet.of(QpAttrMask.STATE), state.name());
    }
  }

  @Test
  void namesEverythingThatIsMissing() {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RTR)) {
      VerbsException refusal =
          catchThrowableOfType(
              VerbsException.class, () -> pair.a().qp().modify(QpAttr.to(QpState.RTS)));

      assertThat(refusal)
          .hasMessageContainingAll(
              "RTR -> RTS", "TIMEOUT", "RETRY_CNT", "RNR_RETRY", "MAX_QP_RD_ATOMIC", "SQ_PSN");
    }
  }

  @Test
  void changesTheRightsOfALiveConnection() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      pair.b().qp().modify(new QpAttr().qpAccessFlags(AccessFlag.REMOTE_READ));

      assertThat(pair.b().qp().query().qpAccessFlags()).containsExactly(AccessFlag.REMOTE_READ);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  void reportsWhatWasSet() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      QpAttr attr = pair.a().qp().query();

      assertThat(attr.qpState()).isEqualTo(QpState.RTS);
      assertThat(attr.curQpState()).isEqualTo(QpState.RTS);
      assertThat(attr.pathMtu()).isEqualTo(Mtu.MTU_1024);
      assertThat(attr.sqPsn()).isEqualTo(Pair.PSN_A);
      assertThat(attr.rqPsn()).isEqualTo(Pair.PSN_B);
      assertThat(attr.destQpNum()).isEqualTo(pair.b().qp().qpNum());
      assertThat(attr.timeout()).isEqualTo(14);
      assertThat(attr.retryCnt()).isEqualTo(3);
      assertThat(attr.rnrRetry()).isEqualTo(3);
      assertThat(attr.maxRdAtomic()).isEqualTo(4);
      assertThat(attr.maxDestRdAtomic()).isEqualTo(4);
      assertThat(attr.minRnrTimer()).isEqualTo(12);
      assertThat(attr.cap()).isEqualTo(pair.a().qp().initAttr().cap());
    }
  }
}
