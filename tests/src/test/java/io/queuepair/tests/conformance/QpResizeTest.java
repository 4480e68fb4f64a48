// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.VerbsException;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queues of a queue pair change their size while they are in use. */
final class QpResizeTest {
  @AutoClose private final QpFixture bench = QpFixture.standard();

  private static void post(QueuePair qp, int count) {
    for (int i = 0; i < count; i++) {
      qp.postRecv(RecvWr.of(i));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INIT", "RTS", "SQD"})
  void takesOtherCapacities(QpState state) {
    QueuePair qp = bench.queuePairIn(QpType.RC, state);
    QpCap larger = new QpCap(100, 200, 8, 16, 256);

    qp.modify(new QpAttr().cap(larger));

    assertThat(qp.query().cap()).isEqualTo(larger);
    assertThat(qp.query().qpState()).isEqualTo(state);
  }

  @Test
  void aLargerQueueTakesMore() {
    QueuePair qp = bench.queuePair(QpType.UD, QpCap.of(2));
    qp.modify(bench.valid().qpState(QpState.INIT), initMask());
    post(qp, 2);
    assertThatThrownBy(() -> post(qp, 1)).isInstanceOf(BadWorkRequestException.class);

    qp.modify(new QpAttr().cap(QpCap.of(5)));

    post(qp, 3);
    assertThatThrownBy(() -> post(qp, 1))
        .isInstanceOf(BadWorkRequestException.class)
        .hasMessageContaining("ENOMEM")
        .hasMessageContaining("holds 5");
  }

  @Test
  void aSmallerQueueHoldsWhatIsPosted() {
    QueuePair qp = bench.queuePair(QpType.UD, QpCap.of(9));
    qp.modify(bench.valid().qpState(QpState.INIT), initMask());
    post(qp, 3);

    assertThatThrownBy(() -> qp.modify(new QpAttr().cap(QpCap.of(2))))
        .isInstanceOf(VerbsException.class)
        .hasMessage(
            "ibv_modify_qp: EINVAL: INIT -> INIT (UD): CAP max_recv_wr 2 is not 3 to 1048576");
    qp.modify(new QpAttr().cap(QpCap.of(3)));

    assertThat(qp.query().cap()).isEqualTo(QpCap.of(3));
    assertThatThrownBy(() -> post(qp, 1)).isInstanceOf(BadWorkRequestException.class);
  }

  @Test
  void namesEveryCapacityBeyondTheDevice() {
    QueuePair qp = bench.queuePairIn(QpType.UC, QpState.RTS);
    QpCap huge = new QpCap((1 << 20) + 1, -1, 33, 34, 513);

    assertThatThrownBy(() -> qp.modify(new QpAttr().cap(huge)))
        .hasMessage(
            "ibv_modify_qp: EINVAL: RTS -> RTS (UC): CAP max_send_wr 1048577 is not 0 to 1048576;"
                + " CAP max_recv_wr -1 is not 0 to 1048576; CAP max_send_sge 33 is not 0 to 32;"
                + " CAP max_recv_sge 34 is not 0 to 32; CAP max_inline_data 513 is not 0 to 512");
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET", "RTR", "ERR"})
  void isRefusedInOtherStates(QpState state) {
    QueuePair qp = bench.queuePairIn(QpType.RC, state);

    assertThat(Errnos.of(() -> qp.modify(new QpAttr().cap(QpCap.of(1))))).isEqualTo(Errno.EINVAL);
  }

  private static Set<QpAttrMask> initMask() {
    return TransitionRule.of(QpType.UD, QpState.RESET, QpState.INIT).mask();
  }
}
