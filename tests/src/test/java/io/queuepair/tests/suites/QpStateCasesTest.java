// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a connection does in each state, at both ends. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class QpStateCasesTest {
  private static final int BATCH = 32;

  @Parameter private LinkForm form;

  private ConnectedPair connected() {
    return new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), ConnectedPair.PAGE);
  }

  /** Both in RESET. */
  private ConnectedPair fresh() {
    return new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).create(), ConnectedPair.PAGE);
  }

  /** The local side in RTS, the remote one brought as far as that state. */
  private ConnectedPair withResponderIn(QpState state) {
    ConnectedPair bed = fresh();
    bed.a().toInit();
    bed.a().toReadyToReceive(bed.b());
    bed.a().toReadyToSend();
    bring(bed, state);
    return bed;
  }

  private static void bring(ConnectedPair bed, QpState state) {
    if (state == QpState.RESET) {
      return;
    }
    bed.b().toInit();
    if (state == QpState.INIT) {
      return;
    }
    bed.b().toReadyToReceive(bed.a());
    if (state == QpState.RTS) {
      bed.b().toReadyToSend();
    }
  }

  private static List<String> repeated(String outcome, int times) {
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      outcomes.add(i + " " + outcome);
    }
    return outcomes;
  }

  private static void postReads(ConnectedPair bed, int count) {
    for (int i = 0; i < count; i++) {
      bed.post(bed.read(i));
    }
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.QueryQpInitialState")
  void bothSidesOfAConnectionAreInRts() {
    try (ConnectedPair bed = connected()) {
      bed.assertStates(QpState.RTS, QpState.RTS);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.ReuseQp")
  void resetForgetsEverythingSoThatTheSamePsnsCanBeUsedAgain() {
    try (ConnectedPair bed = connected()) {
      bed.post(bed.read(1));
      bed.expect(List.of("1 RDMA_READ 4096"), List.of());
      for (QpState state : List.of(QpState.ERR, QpState.RESET)) {
        bed.a().qp().modify(QpAttr.to(state));
        bed.b().qp().modify(QpAttr.to(state));
      }
      bed.pair().connect();

      bed.post(bed.read(2));

      bed.expect(List.of("2 RDMA_READ 4096"), List.of());
      bed.assertLocalFullOf('b');
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.QpReadWhileTargetEntersRts")
  void readsAreAnsweredWhileTheResponderEntersRts() {
    try (ConnectedPair bed = withResponderIn(QpState.RTR)) {
      postReads(bed, 100);
      bed.pair().run(Duration.ofNanos(20_000));

      bed.b().toReadyToSend();
      bed.expect(repeated("RDMA_READ 4096", 100), List.of());
      postReads(bed, 100);

      bed.expect(repeated("RDMA_READ 4096", 100), List.of());
    }
  }

  private static void assertPostRefused(ConnectedPair bed) {
    BadWorkRequestException refusal =
        catchThrowableOfType(BadWorkRequestException.class, () -> bed.post(bed.read(1)));
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  /** Refused at once, and never done later. */
  private static void assertNothingWasKept(ConnectedPair bed) {
    bed.expect(List.of(), List.of());
    bed.assertLocalFullOf('a');
    bed.post(bed.read(2));
    bed.expect(List.of("2 RDMA_READ 4096"), List.of());
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostSendReset")
  void aSendInResetIsRefused() {
    try (ConnectedPair bed = fresh()) {
      assertPostRefused(bed);

      bed.pair().connect();

      assertNothingWasKept(bed);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostSendInit")
  void aSendInInitIsRefused() {
    try (ConnectedPair bed = fresh()) {
      bed.a().toInit();
      assertPostRefused(bed);

      bring(bed, QpState.RTS);
      bed.a().toReadyToReceive(bed.b());
      bed.a().toReadyToSend();

      assertNothingWasKept(bed);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostSendRtr")
  void aSendInRtrIsRefused() {
    try (ConnectedPair bed = fresh()) {
      bed.a().toInit();
      bed.a().toReadyToReceive(bed.b());
      assertPostRefused(bed);

      bring(bed, QpState.RTS);
      bed.a().toReadyToSend();

      assertNothingWasKept(bed);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostRecvReset")
  void aReceiveInResetIsRefusedAndASendToItTimesOut() {
    try (ConnectedPair bed = withResponderIn(QpState.RESET)) {
      BadWorkRequestException refusal =
          catchThrowableOfType(
              BadWorkRequestException.class, () -> bed.receive(0, bed.remote().sge()));
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);

      bed.post(SendWr.send(1, bed.local().sge()));

      bed.expect(List.of("1 RETRY_EXC_ERR"), List.of());
      bed.assertStates(QpState.ERR, QpState.RESET);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostRecvInit")
  void aReceiveInInitStaysWhileASendToItTimesOut() {
    try (ConnectedPair bed = withResponderIn(QpState.INIT)) {
      bed.receive(0, bed.remote().sge());

      bed.post(SendWr.send(1, bed.local().sge()));

      bed.expect(List.of("1 RETRY_EXC_ERR"), List.of());
      bed.assertStates(QpState.ERR, QpState.INIT);
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostSendErr")
  void aSendInErrorIsFlushed() {
    try (ConnectedPair bed = connected()) {
      bed.a().qp().modify(QpAttr.to(QpState.ERR));

      bed.post(bed.read(1));

      bed.expect(List.of("1 WR_FLUSH_ERR"), List.of());
    }
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.PostSendErrDelayed")
  void flushingDoesNotEnd() {
    try (ConnectedPair bed = connected()) {
      postReads(bed, BATCH);
      bed.expect(repeated("RDMA_READ 4096", BATCH), List.of());
      bed.a().qp().modify(QpAttr.to(QpState.ERR));

      for (int later = 0; later < 3; later++) {
        postReads(bed, BATCH);
        bed.expect(repeated("WR_FLUSH_ERR", BATCH), List.of());
        bed.pair().run(Duration.ofSeconds(3));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"RESET, READ", "INIT, READ", "RESET, WRITE", "INIT, WRITE"})
  @Tag("GUT-qp_test-ResponderQpStateTest.ResponderNotReadyToReceive")
  void aResponderThatIsNotReadySaysNothing(QpState state, String operation) {
    try (ConnectedPair bed = withResponderIn(state)) {
      bed.post(operation.equals("READ") ? bed.read(1) : bed.write(1));
      bed.assertStates(QpState.RTS, state);

      bed.expect(List.of("1 RETRY_EXC_ERR"), List.of());
      bed.assertStates(QpState.ERR, state);

      bed.assertLocalFullOf('a');
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.SendRnrInfiniteRetries")
  void sevenRetriesForAReceiverThatIsNotReadyNeverEnd() {
    Pair.Builder patient = ConnectedPair.reliable(Pair.on(form)).rts(attr -> attr.rnrRetry(7));
    try (ConnectedPair bed = new ConnectedPair(patient.connect(), ConnectedPair.PAGE)) {
      bed.post(SendWr.send(1, bed.local().sge()));

      bed.pair().run(Duration.ofMinutes(1));

      assertThat(bed.a().sends()).isEmpty();
      bed.receive(0, bed.remote().sge());
      bed.expect(List.of("1 SEND"), List.of("0 RECV 4096"));
    }
  }

  /** Queues of 32 sends and 16 receives, the latter posted, and 32 sends on their way. */
  private ConnectedPair twiceAsManySendsAsReceives(int rnrTimer, int rnrRetry) {
    Pair.Builder impatient =
        ConnectedPair.reliable(Pair.on(form))
            .rtr(attr -> attr.minRnrTimer(rnrTimer))
            .rts(attr -> attr.rnrRetry(rnrRetry));
    ConnectedPair bed = new ConnectedPair(impatient.connect(), ConnectedPair.PAGE);
    postReceives(bed, 0);
    for (int i = 0; i < 32; i++) {
      bed.post(SendWr.send(i, bed.local().sge(32 * i, 32)));
    }
    return bed;
  }

  private static void postReceives(ConnectedPair bed, int first) {
    for (int i = first; i < first + 16; i++) {
      bed.b().qp().postRecv(RecvWr.of(i, bed.remote().sge(32 * i, 32)));
    }
  }

  @Test
  @Tag("GUT-rnr_nack_test-RnrNackTest.RetryFailure")
  void theSendWithoutReceiveFailsAndTheOthersAreFlushed() {
    try (ConnectedPair bed = twiceAsManySendsAsReceives(1, 1)) {
      List<String> expected = repeated("SEND", 16);
      expected.add("16 RNR_RETRY_EXC_ERR");
      expected.addAll(repeated("WR_FLUSH_ERR", 32).subList(17, 32));

      bed.expect(expected, repeated("RECV 32", 16));
    }
  }

  @Test
  @Tag("GUT-rnr_nack_test-RnrNackTest.RetrySuccess")
  void lateReceivesTakeTheOtherSends() {
    try (ConnectedPair bed = twiceAsManySendsAsReceives(31, 7)) {
      bed.pair().run(Duration.ofSeconds(1));
      postReceives(bed, 16);

      bed.expect(repeated("SEND", 32), repeated("RECV 32", 32));
    }
  }
}
