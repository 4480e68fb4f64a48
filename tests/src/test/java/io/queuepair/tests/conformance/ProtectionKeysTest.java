// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * P_Keys and Q_Keys between two devices. P_Keys match when their low 15 bits are equal and not zero
 * and at least one end is a full member (bit 15). A Q_Key must be that of the receiving queue pair.
 */
final class ProtectionKeysTest {
  /** Slot 0 the default partition, 1 and 2 full members, 3 a limited member of that in 1. */
  private static final DeviceProfile PROFILE =
      DeviceProfile.standard().withPkeys(0xffff, 0x8001, 0x8002, 0x0001);

  /** A pair whose sides have these slots, and a receive that a message finds. */
  private static Pair connected(QpType type, int ofA, int ofB) {
    Pair pair = Pair.on(LinkForm.OBJECTS).profile(PROFILE).type(type).create();
    pair.a().toInit();
    pair.b().toInit();
    pair.a().qp().modify(QpAttr.to(QpState.INIT).pkeyIndex(ofA));
    pair.b().qp().modify(QpAttr.to(QpState.INIT).pkeyIndex(ofB));
    pair.a().toReadyToReceive(pair.b());
    pair.b().toReadyToReceive(pair.a());
    pair.a().toReadyToSend();
    pair.b().toReadyToSend();
    pair.b().postRecv(RecvWr.of(2, pair.b().region().sge(0, 64)));
    return pair;
  }

  @ParameterizedTest
  @CsvSource({
    "RC, 0, 0",
    "RC, 1, 1",
    "RC, 2, 2",
    "RC, 1, 3",
    "RC, 3, 1",
    "UC, 1, 3",
    "UD, 0, 0",
    "UD, 1, 3"
  })
  void aMessageArrivesWithinItsPartition(QpType type, int ofA, int ofB) {
    try (Pair pair = connected(type, ofA, ofB)) {
      pair.send(SendWr.send(1));

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).hasSize(1);
      assertThat(pair.b().context().queryPort(1).badPkeyCntr()).isZero();
    }
  }

  /** Of a reliable connection, the first packet and three retries are counted. */
  @ParameterizedTest
  @CsvSource({
    "RC, 0, 1",
    "RC, 1, 2",
    "RC, 3, 3",
    "RC, 3, 2",
    "UC, 0, 1",
    "UC, 3, 3",
    "UD, 0, 1",
    "UD, 3, 3"
  })
  void aMessageOfAnotherPartitionIsDroppedInSilence(QpType type, int ofA, int ofB) {
    try (Pair pair = connected(type, ofA, ofB)) {
      pair.send(SendWr.send(1));

      boolean isReliable = type == QpType.RC;
      assertThat(pair.a().sends()).containsExactly(isReliable ? "1 RETRY_EXC_ERR" : "1 SEND");
      assertThat(pair.b().receives()).isEmpty();
      assertThat(pair.b().context().queryPort(1).badPkeyCntr())
          .isEqualTo(isReliable ? 1 + Attributes.RETRY_CNT : 1);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  void theQkeyOfTheReceiverCanChange() {
    try (Pair pair = connected(QpType.UD, 0, 0)) {
      pair.b().qp().modify(new QpAttr().qkey(TestEndpoint.QKEY + 1));
      pair.send(SendWr.send(1));
      assertThat(pair.b().receives()).isEmpty();
      assertThat(pair.b().context().queryPort(1).qkeyViolCntr()).isOne();

      pair.a()
          .qp()
          .postSend(SendWr.send(1).to(pair.a().ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY + 1));
      pair.drain();

      assertThat(pair.b().receives()).hasSize(1);
    }
  }
}
