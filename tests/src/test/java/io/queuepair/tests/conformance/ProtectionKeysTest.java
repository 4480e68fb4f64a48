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
