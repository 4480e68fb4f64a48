// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.VirtualTime;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import java.time.Duration;

/** One device with any number of connections to itself. */
final class SuiteHost implements AutoCloseable {
  private final Fabric fabric;
  private final Emulator emulator;
  private final Context context;
  private final ProtectionDomain pd;
  private final MemoryRegion source;
  private final MemoryRegion target;

  SuiteHost(Fabric fabric) {
    this(fabric, 64 * 1024);
  }

  /** With that much memory at each side. */
  SuiteHost(Fabric fabric, int bytes) {
    this.fabric = fabric;
    emulator = Emulator.on(fabric);
    context = emulator.addDevice("10.0.0.1").open();
    pd = context.allocPd();
    source = TestEndpoint.registerIn(pd, bytes, ConnectedPair.ALL_RIGHTS);
    target = TestEndpoint.registerIn(pd, bytes, ConnectedPair.ALL_RIGHTS);
  }

  /** Two queue pairs that are connected to each other. */
  record HostLink(QueuePair near, QueuePair far) implements AutoCloseable {
    @Override
    public void close() {
      near.close();
      far.close();
    }
  }

  Emulator emulator() {
    return emulator;
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  /** Where requests take their data from. */
  MemoryRegion source() {
    return source;
  }

  /** Where they leave it. */
  MemoryRegion target() {
    return target;
  }

  CompletionQueue createCq(int cqe) {
    return context.createCq(cqe);
  }

  QueuePair createQp(CompletionQueue cq) {
    return pd.createQp(QpInitAttr.rc(cq, new QpCap(128, 128, 1, 1, 0)));
  }

  /** Both in RTS, with all remote rights. */
  HostLink link(CompletionQueue nearCq, CompletionQueue farCq) {
    return link(nearCq, farCq, null);
  }

  /** Links a far side that takes its receives from a shared queue. */
  HostLink link(CompletionQueue nearCq, CompletionQueue farCq, SharedReceiveQueue srq) {
    QpInitAttr farAttr = QpInitAttr.rc(farCq, new QpCap(128, 128, 1, 1, 0));
    HostLink link =
        new HostLink(createQp(nearCq), pd.createQp(srq == null ? farAttr : farAttr.withSrq(srq)));
    Emulator.connect(link.near, link.far);
    link.near.modify(new QpAttr().qpAccessFlags(Window.ALL_REMOTE));
    link.far.modify(new QpAttr().qpAccessFlags(Window.ALL_REMOTE));
    return link;
  }

  SendWr write(long wrId, int offset, int bytes) {
    return SendWr.rdmaWrite(wrId, target.addr() + offset, target.rkey(), source.sge(offset, bytes));
  }

  SendWr read(long wrId, int offset, int bytes) {
    return SendWr.rdmaRead(wrId, target.addr() + offset, target.rkey(), source.sge(offset, bytes));
  }

  /** Lets a network in virtual time run until nothing is left to happen. */
  void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  void assertNoNews() {
    assertThat(context.getAsyncEvent(Duration.ZERO)).isEmpty();
  }

  @Override
  public void close() {
    emulator.close();
  }
}
