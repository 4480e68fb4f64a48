// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.walks;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Does what is walked; loaded by a {@link TracingLoader}. Each walk is taken by a second message.
 */
public final class TracedWalks {
  private static final int MESSAGE_BYTES = 64;

  private TracedWalks() {}

  /** Returns the classes entered on each walk, by the name of the walk. */
  public static Map<String, Set<Class<?>>> take() {
    Map<String, Set<Class<?>>> walks = new LinkedHashMap<>();
    Fabric fabric = InMemoryFabric.virtualTime();
    Pair pair = Pair.on(fabric).connect();
    for (int round = 0; round < 2; round++) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      SendWr send = SendWr.send(1, pair.a().region().sge(0, MESSAGE_BYTES));
      EnteredClasses.start();
      pair.a().qp().postSend(send);
      while (fabric.scheduler().runNext()) {}
      pair.a().sendCq().poll(1);
      pair.b().recvCq().poll(1);
      walks.put("send", EnteredClasses.stop());
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      pair.a().qp().postSend(send);
      EnteredClasses.start();
      fabric.scheduler().runNext();
      walks.put("arrival", EnteredClasses.stop());
      pair.drain();
      pair.a().sendCq().poll(1);
      pair.b().recvCq().poll(1);
      EnteredClasses.start();
      pair.a().qp().modify(QpAttr.to(QpState.RTS).minRnrTimer(round));
      walks.put("modify", EnteredClasses.stop());
    }
    return walks;
  }
}
