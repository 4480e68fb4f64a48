// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Many connections of a device at once, each with a timeout and retries of its own. */
final class ConnectionTimersTest {
  private static final int CONNECTIONS = 60;

  @Test
  void everyConnectionKeepsItsOwnTime() {
    InMemoryFabric fabric = LinkForm.OBJECTS.fabric();
    try (Emulator emulator = Emulator.on(fabric)) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      CompletionQueue cq = pd.context().createCq(CONNECTIONS);
      Gid silent = emulator.addDevice("10.0.0.2").open().queryGid(1, 0);
      Map<Integer, Long> expected = new HashMap<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
        int code = 5 + (i * 7) % 13;
        int retryCnt = (i * 3) % 5;
        QpAttr rts = Attributes.rts(QpType.RC, 0).timeout(code).retryCnt(retryCnt);
        qp.modify(Attributes.init(QpType.RC));
        qp.modify(Attributes.rtr(QpType.RC, silent, 0x11, 0));
        qp.modify(rts);
        qp.postSend(SendWr.send(i));
        expected.put(qp.qpNum(), (retryCnt + 1) * (4_096L << code));
      }

      Map<Integer, Long> failed = new HashMap<>();
      while (fabric.scheduler().runNext()) {
        for (WorkCompletion wc : cq.poll(CONNECTIONS)) {
          assertThat(wc.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
          failed.put(wc.qpNum(), fabric.scheduler().nowNanos());
        }
      }

      assertThat(failed).isEqualTo(expected);
    }
  }
}
