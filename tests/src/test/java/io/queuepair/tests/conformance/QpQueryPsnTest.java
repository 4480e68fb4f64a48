// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.UdWr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The PSNs of {@code ibv_query_qp} are those of the next packets, however the queue pair has come
 * into its state; so it is recorded of Linux Soft-RoCE.
 */
final class QpQueryPsnTest {
  private static final int BYTES = 8;

  /** The device that does what the documents say, or that of Linux. */
  enum Kind {
    STANDARD(DeviceProfile.standard()),
    SOFT_ROCE(DeviceProfile.softRoce());

    private final DeviceProfile profile;

    Kind(DeviceProfile profile) {
      this.profile = profile;
    }
  }

  private static Pair connected(Kind kind, QpType type) {
    return Pair.on(LinkForm.OBJECTS).profile(kind.profile).type(type).connect();
  }

  private static void write(Pair pair, int keyError) {
    MemoryRegion target = pair.b().region();
    int rkey = target.rkey() ^ keyError;
    pair.a()
        .qp()
        .postSend(SendWr.rdmaWrite(1, target.addr(), rkey, pair.a().region().sge(0, BYTES)));
    pair.drain();
  }

  private static void assertPsns(TestEndpoint endpoint, int sqPsn, int rqPsn) {
    QpAttr attr = endpoint.qp().query();
    assertThat(attr.sqPsn()).as("sq_psn").isEqualTo(sqPsn);
    assertThat(attr.rqPsn()).as("rq_psn").isEqualTo(rqPsn);
  }

  @ParameterizedTest
  @CsvSource({"STANDARD, RC", "STANDARD, UC", "SOFT_ROCE, RC", "SOFT_ROCE, UC"})
  void showsInErrHowFarAConnectionHasCome(Kind kind, QpType type) {
    try (Pair pair = connected(kind, type)) {
      write(pair, 0);
      write(pair, 0);

      pair.a().qp().modify(QpAttr.to(QpState.ERR));
      pair.b().qp().modify(QpAttr.to(QpState.ERR));

      assertPsns(pair.a(), Pair.PSN_A + 2, Pair.PSN_B);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 2);
    }
  }

  /** As recorded: a message that is dropped without notice does not count, the next one does. */
  @ParameterizedTest
  @EnumSource
  void showsThePsnBehindTheLastUnreliableMessageThatWasTaken(Kind kind) {
    try (Pair pair = connected(kind, QpType.UC)) {
      write(pair, 0);
      write(pair, 1);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 1);

      write(pair, 0);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 3);
    }
  }

  /** A request that is refused was sent, and is still the one that is expected. */
  @ParameterizedTest
  @EnumSource
  void showsHowFarAConnectionHadComeThatFailed(Kind kind) {
    try (Pair pair = connected(kind, QpType.RC)) {
      write(pair, 0);

      write(pair, 1);

      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
      assertPsns(pair.a(), Pair.PSN_A + 2, Pair.PSN_B);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 1);
    }
  }

  /** What was never set is 0, and so is what RESET has forgotten. */
  @Test
  void showsInErrWhatWasSetSinceReset() {
    try (Pair pair = connected(Kind.STANDARD, QpType.RC)) {
      write(pair, 0);

      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.b().qp().modify(QpAttr.to(QpState.ERR));
      pair.a().qp().modify(QpAttr.to(QpState.RESET));
      pair.a().toInit();
      pair.a().toReadyToReceive(pair.b());
      pair.a().qp().modify(QpAttr.to(QpState.ERR));

      assertPsns(pair.a(), 0, Pair.PSN_B);
      assertPsns(pair.b(), 0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyLinuxShowsThePsnOfTheLastDatagramAndKeepsItThroughReset(Kind kind) {
    int rqPsn = kind == Kind.SOFT_ROCE ? Pair.PSN_A + 1 : 0;
    try (Pair pair = connected(kind, QpType.UD)) {
      TestEndpoint a = pair.a();
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      SendWr send = SendWr.send(1, a.region().sge(0, BYTES));
      a.qp().postSend(new UdWr(send, a.ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY));
      pair.drain();
      assertPsns(pair.b(), Pair.PSN_B, rqPsn);

      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.b().toInit();
      pair.b().toReadyToReceive(a);
      pair.b().toReadyToSend();

      assertPsns(pair.b(), Pair.PSN_B, rqPsn);
    }
  }
}
