// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What each state means for queue pairs of type RAW_PACKET, beside a second one that shares its
 * completion queues and must not notice. The flow is there from the start, so that frames would
 * arrive in any state.
 */
final class RawPacketStateTest {
  private static final Set<QpState> RECEIVING =
      EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

  private static final Set<QpState> SENDS_ACCEPTED =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  /** From the first host to the second. */
  private static final byte[] FRAME = Frames.PLAIN.bytes();

  /** The last byte of the destination, which is that of the second host. */
  private static final int LAST_OF_DESTINATION = 5;

  /** Makes the frame to the first host. */
  private static byte[] frameBack() {
    byte[] frame = FRAME.clone();
    frame[LAST_OF_DESTINATION] = 1;
    return frame;
  }

  @AutoClose private final Segment segment = new Segment();

  /** The second of the hosts; its first queue pair is brought to a state. */
  private final RawHost subject = segment.b();

  private final QueuePair control = subject.createQp();

  private void bring(QpState state) {
    subject.steer(FlowAttr.normal());
    control.postSend(SendWr.send(90, subject.region().sge(0, 64)));
    subject.qp().modify(QpAttr.to(QpState.RESET));
    for (QpState step : wayTo(state)) {
      QpAttr attr = QpAttr.to(step);
      subject.qp().modify(step == QpState.INIT ? attr.portNum(1) : attr);
    }
    if (state == QpState.SQE) {
      subject.qp().postSend(SendWr.send(80, new Sge(0, 64, 0xbad)));
      segment.drain();
    }
  }

  private static List<QpState> wayTo(QpState state) {
    return switch (state) {
      case RESET, UNKNOWN -> List.of();
      case INIT -> List.of(QpState.INIT);
      case RTR -> List.of(QpState.INIT, QpState.RTR);
      case RTS, SQE -> List.of(QpState.INIT, QpState.RTR, QpState.RTS);
      case SQD, ERR -> List.of(QpState.INIT, QpState.RTR, QpState.RTS, state);
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void postReceiveIsRefusedInResetOnly(QpState state) {
    bring(state);
    if (state == QpState.RESET) {
      assertThat(Errnos.of(() -> subject.postRecv(0))).isEqualTo(Errno.EINVAL);
    } else {
      subject.postRecv(0);
    }
    segment.drain();

    assertThat(subject.receives())
        .isEqualTo(state == QpState.ERR ? List.of("0 WR_FLUSH_ERR") : List.<String>of());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void sendsLeaveInRtsOnlyAndAreFlushedAfterAnError(QpState state) {
    bring(state);
    segment.a().steer(FlowAttr.normal());
    segment.a().postRecv(0);
    subject.sends();
    if (SENDS_ACCEPTED.contains(state)) {
      subject.send(1, frameBack());
    } else {
      assertThat(Errnos.of(() -> subject.send(1, frameBack()))).isEqualTo(Errno.EINVAL);
    }
    segment.drain();

    switch (state) {
      case RTS -> assertThat(subject.sends()).containsExactly("1 SEND");
      case SQE, ERR -> assertThat(subject.sends()).containsExactly("1 WR_FLUSH_ERR");
      case RESET, INIT, RTR, SQD, UNKNOWN -> assertThat(subject.sends()).isEmpty();
    }
    assertThat(segment.a().receives()).hasSize(state == QpState.RTS ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void framesAreTakenFromRtrOn(QpState state) {
    bring(state);
    if (state != QpState.RESET) {
      subject.postRecv(0);
    }
    subject.receives();

    segment.a().send(1, FRAME);
    segment.drain();

    if (RECEIVING.contains(state)) {
      assertThat(subject.receives()).containsExactly("0 RECV " + FRAME.length);
    } else {
      assertThat(subject.receives()).isEmpty();
      assertThat(subject.slot(0, 1)).containsExactly(TestEndpoint.FILL);
      assertThat(subject.drops("WRONG_QP_STATE")).isOne();
    }
    assertThat(subject.qp().query().qpState()).isEqualTo(state);
  }
}
