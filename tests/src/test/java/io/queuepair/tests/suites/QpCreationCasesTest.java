// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.WrOpcode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queue pairs of each type as pyverbs makes them. */
final class QpCreationCasesTest {
  private static final QpCap CAP = new QpCap(100, 100, 1, 1, 0);
  private static final int QKEY = 0x1111_1111;
  private static final int PSN = 0x45;

  private final Fabric fabric = LinkForm.OBJECTS.fabric();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(10);

  private QueuePair create(QpType type) {
    return pd.createQp(QpInitAttr.of(type, cq, CAP));
  }

  private QueuePair createEx(QpType type) {
    return pd.createQpEx(QpInitAttrEx.of(QpInitAttr.of(type, cq, CAP)));
  }

  private void assertCreatedInReset(QpType type) {
    assertThat(create(type).query().qpState()).isEqualTo(QpState.RESET);
  }

  private static QueuePair toInit(QueuePair connection) {
    connection.modify(
        QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(AccessFlag.REMOTE_READ));
    return connection;
  }

  private static QueuePair toRts(QueuePair datagrams) {
    datagrams.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(QKEY));
    datagrams.modify(QpAttr.to(QpState.RTR));
    datagrams.modify(QpAttr.to(QpState.RTS).sqPsn(PSN));
    return datagrams;
  }

  private static QueuePair rawToRts(QueuePair raw) {
    raw.modify(QpAttr.to(QpState.INIT).portNum(1));
    raw.modify(QpAttr.to(QpState.RTR));
    raw.modify(QpAttr.to(QpState.RTS));
    return raw;
  }

  private static void assertIn(QpState state, QueuePair qp) {
    assertThat(qp.query().qpState()).isEqualTo(state);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_rc_qp_no_attr")
  void aReliableConnectionStartsInReset() {
    assertCreatedInReset(QpType.RC);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_uc_qp_no_attr")
  void anUnreliableConnectionStartsInReset() {
    assertCreatedInReset(QpType.UC);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_ud_qp_no_attr")
  void datagramsStartInReset() {
    assertCreatedInReset(QpType.UD);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_raw_qp_no_attr")
  void rawPacketsStartInReset() {
    assertCreatedInReset(QpType.RAW_PACKET);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_rc_qp_with_attr")
  void aReliableConnectionIsBroughtToInit() {
    assertIn(QpState.INIT, toInit(create(QpType.RC)));
  }

  @Test
  @Tag("test_qp.QPTest.test_create_uc_qp_with_attr")
  void anUnreliableConnectionIsBroughtToInit() {
    assertIn(QpState.INIT, toInit(create(QpType.UC)));
  }

  @Test
  @Tag("test_qp.QPTest.test_create_ud_qp_with_attr")
  void datagramsAreBroughtToRts() {
    assertIn(QpState.RTS, toRts(create(QpType.UD)));
  }

  @Test
  @Tag("test_qp.QPTest.test_create_raw_qp_with_attr")
  void rawPacketsAreBroughtToRts() {
    assertIn(QpState.RTS, rawToRts(create(QpType.RAW_PACKET)));
  }

  @ParameterizedTest
  @EnumSource(
      value = QpType.class,
      names = {"RC", "UC", "UD", "RAW_PACKET"})
  @Tag("test_qp.QPTest.test_create_rc_qp_ex_no_attr")
  @Tag("test_qp.QPTest.test_create_uc_qp_ex_no_attr")
  @Tag("test_qp.QPTest.test_create_ud_qp_ex_no_attr")
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_no_attr")
  void anExtendedQueuePairStartsInReset(QpType type) {
    assertIn(QpState.RESET, createEx(type));
  }

  @Test
  @Tag("test_qp.QPTest.test_create_rc_qp_ex_with_attr")
  @Tag("test_qp.QPTest.test_create_uc_qp_ex_with_attr")
  void anExtendedConnectionIsBroughtToInit() {
    assertIn(QpState.INIT, toInit(createEx(QpType.RC)));
    assertIn(QpState.INIT, toInit(createEx(QpType.UC)));
  }

  @Test
  @Tag("test_qp.QPTest.test_create_ud_qp_ex_with_attr")
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_with_attr")
  void extendedDatagramsAndRawPacketsAreBroughtToRts() {
    assertIn(QpState.RTS, toRts(createEx(QpType.UD)));
    assertIn(QpState.RTS, rawToRts(createEx(QpType.RAW_PACKET)));
  }

  private Errno errnoOfCreating(QpCap cap) {
    return Errnos.of(() -> pd.createQp(QpInitAttr.of(QpType.UD, cq, cap)));
  }

  private int more(DeviceLimit limit) {
    return (int) context.queryDevice().limit(limit) + 1;
  }

  @Test
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_wr")
  void tooManySendsAreRefused() {
    assertThat(errnoOfCreating(new QpCap(more(DeviceLimit.MAX_QP_WR), 1, 1, 1, 0)))
        .isEqualTo(Errno.EINVAL);
    assertThat(errnoOfCreating(new QpCap(-1, 1, 1, 1, 0))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_sge")
  void tooManyPiecesOfASendAreRefused() {
    assertThat(errnoOfCreating(new QpCap(1, 1, more(DeviceLimit.MAX_SGE), 1, 0)))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_sge")
  void tooManyPiecesOfAReceiveAreRefused() {
    assertThat(errnoOfCreating(new QpCap(1, 1, 1, more(DeviceLimit.MAX_SGE), 0)))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("test_qp.QPTest.test_modify_ud_qp")
  void datagramsShowWhatWasSet() {
    QueuePair qp = create(QpType.UD);
    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(QKEY));
    assertThat(qp.query().qkey()).isEqualTo(QKEY);
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(PSN));
    assertThat(qp.query().sqPsn()).isEqualTo(PSN);
    qp.modify(QpAttr.to(QpState.RESET));
    assertIn(QpState.RESET, qp);
  }

  @Test
  @Tag("test_qp.QPTest.test_create_ud_qp_with_privileged_qkey")
  void aPrivilegedQkeyIsShownAsItWasSet() {
    QueuePair qp = create(QpType.UD);

    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(0x8000_0000));

    assertThat(qp.query().qkey()).isEqualTo(0x8000_0000);
  }

  @Test
  @Tag("PYV-qp-QPTest.query_data_in_order")
  @Tag("test_qp.QPTest.test_query_data_in_order")
  void nothingIsPromisedAboutTheOrderOfBytes() {
    assertThat(create(QpType.RC).queryDataInOrder(WrOpcode.SEND)).isEmpty();
    assertThat(toRts(create(QpType.UD)).queryDataInOrder(WrOpcode.SEND)).isEmpty();
  }

  @Test
  @Tag("test_qp.QPTest.test_raw_qp_rate_limit_modify")
  void theRateOfRawPacketsCanBeLimited() {
    QueuePair raw = rawToRts(create(QpType.RAW_PACKET));
    raw.modify(new QpAttr().rateLimit(1000));
    assertThat(raw.query().rateLimit()).isEqualTo(1000);

    raw.modifyRateLimit(new QpRateLimitAttr(5000, 100, 50));

    assertThat(raw.query().rateLimit()).isEqualTo(5000);
  }

  @Test
  @Tag("test_qpex.QpExTestCase.test_full_rq_bad_flow")
  void aFullReceiveQueueTakesNoMore() {
    QueuePair qp = toRts(create(QpType.UD));
    int room = qp.query().cap().maxRecvWr();
    for (int i = 0; i < room; i++) {
      qp.postRecv(RecvWr.of(i));
    }

    assertThat(Errnos.of(() -> qp.postRecv(RecvWr.of(room)))).isEqualTo(Errno.ENOMEM);
  }
}
