// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.List;

/** A queue pair for datagrams of a given domain, which sends to itself. */
final class UdLoopback {
  private static final int GRH_BYTES = 40;

  private final Emulator emulator;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion region;

  UdLoopback(Emulator emulator, ProtectionDomain domain) {
    this.emulator = emulator;
    cq = domain.context().createCq(4);
    qp = domain.createQp(QpInitAttr.of(QpType.UD, cq, new QpCap(2, 2, 1, 1, 0)));
    Attributes.connect(qp, null, 0, 0);
    region = TestEndpoint.registerIn(domain, GRH_BYTES, TestEndpoint.ALL_RIGHTS);
  }

  /** Sends nothing, which arrives behind a GRH. */
  void sendToItself(AddressHandle ah) {
    qp.postRecv(RecvWr.of(1, region.sge()));
    qp.postSend(SendWr.send(2).to(ah, qp.qpNum(), TestEndpoint.QKEY));
  }

  List<String> completions() {
    return Outcomes.of(List.of(emulator.await(cq), emulator.await(cq)));
  }
}
