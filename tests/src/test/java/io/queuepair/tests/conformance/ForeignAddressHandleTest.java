// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import org.junit.jupiter.api.Test;

/** An address handle has to be of the protection domain of the queue pair that uses it. */
final class ForeignAddressHandleTest {
  private static final int QKEY = 0x1111;

  @Test
  void aHandleOfAnotherDomainIsALocalOperationError() {
    try (Emulator emulator = Emulator.inMemory()) {
      Context context = emulator.addDevice("10.0.0.1").open();
      ProtectionDomain own = context.allocPd();
      CompletionQueue cq = context.createCq(4);
      QueuePair qp = own.createQp(QpInitAttr.of(QpType.UD, cq, QpCap.of(4)));
      qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(QKEY));
      qp.modify(QpAttr.to(QpState.RTR));
      qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
      AddressHandle foreign = context.allocPd().createAh(AhAttr.to(context.queryGid(1, 0)));

      qp.postSend(SendWr.send(1).to(foreign, qp.qpNum(), QKEY));

      assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.LOC_QP_OP_ERR);
      assertThat(qp.query().qpState()).isEqualTo(QpState.SQE);
    }
  }
}
