// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;

/** A queue pair for datagrams that takes its receives from a shared queue, and a sender. */
final class DatagramToSrq {
  private final SrqPair bed;
  private final QueuePair sender;
  private final QueuePair receiver;
  private final AddressHandle ah;

  DatagramToSrq(SrqPair bed) {
    this.bed = bed;
    QpCap cap = new QpCap(4, 4, 1, 1, 0);
    sender = bed.host().pd().createQp(QpInitAttr.of(QpType.UD, bed.nearCq(), cap));
    receiver =
        bed.host().pd().createQp(QpInitAttr.of(QpType.UD, bed.farCq(), cap).withSrq(bed.srq()));
    start(sender);
    start(receiver);
    ah = bed.host().pd().createAh(AhAttr.to(bed.host().context().queryGid(1, 0)));
  }

  private static void start(QueuePair qp) {
    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(TestEndpoint.QKEY));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
  }

  void send(long wrId, int bytes) {
    sender.postSend(bed.send(wrId, bytes).to(ah, receiver.qpNum(), TestEndpoint.QKEY));
  }
}
