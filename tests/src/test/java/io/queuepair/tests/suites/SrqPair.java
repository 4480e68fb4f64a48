// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.util.List;

/** A connection whose far side takes its receives from a shared queue. */
final class SrqPair implements AutoCloseable {
  static final int PAGE = 4096;

  private static final QpCap CAP = new QpCap(128, 128, 1, 1, 0);
  private static final int MANY = 4096;

  private final SuiteHost host;
  private final CompletionQueue nearCq;
  private final CompletionQueue farCq;
  private final SharedReceiveQueue srq;
  private final SuiteHost.HostLink link;

  SrqPair(Fabric fabric, SrqAttr attr) {
    host = new SuiteHost(fabric);
    nearCq = host.createCq(MANY);
    farCq = host.createCq(MANY);
    srq = host.pd().createSrq(attr);
    link = link(host.pd());
  }

  /** One more connection, possibly of a domain of its own. */
  SuiteHost.HostLink link(ProtectionDomain domain) {
    QueuePair near = domain.createQp(QpInitAttr.rc(nearCq, CAP));
    QueuePair far = domain.createQp(QpInitAttr.rc(farCq, CAP).withSrq(srq));
    Emulator.connect(near, far);
    return new SuiteHost.HostLink(near, far);
  }

  SuiteHost host() {
    return host;
  }

  SharedReceiveQueue srq() {
    return srq;
  }

  SuiteHost.HostLink link() {
    return link;
  }

  CompletionQueue nearCq() {
    return nearCq;
  }

  CompletionQueue farCq() {
    return farCq;
  }

  /** Lets sends fail after so many tries for want of a receive. */
  void limitRnrRetries(int retries) {
    link.near().modify(QpAttr.to(QpState.SQD));
    link.near().modify(new QpAttr().rnrRetry(retries));
    link.near().modify(QpAttr.to(QpState.RTS));
  }

  /** Posts a receive of one page. */
  void receive(long wrId) {
    srq.postRecv(RecvWr.of(wrId, host.target().sge(0, PAGE)));
  }

  SendWr send(long wrId, int bytes) {
    return SendWr.send(wrId, host.source().sge(0, bytes));
  }

  /** What has completed on the side that sends, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(nearCq.poll(MANY));
  }

  /** What has completed on the side that receives. */
  List<String> receives() {
    return Outcomes.of(farCq.poll(MANY));
  }

  @Override
  public void close() {
    host.close();
  }
}
