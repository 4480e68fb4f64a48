// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many connections at once, and the kinds of addresses they can have. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class NetworkTest {
  private static final int MANY = 1_000;

  private final InMemoryFabric fabric;
  @AutoClose private final Emulator emulator;

  NetworkTest(LinkForm form) {
    fabric =
        InMemoryFabric.create(
            InMemoryOptions.virtualTime()
                .withWireExact(form == LinkForm.WIRE_EXACT)
                .withMtuBytes(1_500)
                .withPollRunsEvents(false));
    emulator = Emulator.on(fabric);
  }

  /** A device with a domain and one completion queue for all its queue pairs. */
  private record NetworkHost(Context context, ProtectionDomain pd, CompletionQueue cq) {
    QueuePair queuePair() {
      return pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    }

    MemoryRegion region(int bytes) {
      return TestEndpoint.registerIn(pd, bytes, TestEndpoint.ALL_RIGHTS);
    }
  }

  private NetworkHost host(String... addresses) {
    Context context = emulator.addDevice(addresses).open();
    return new NetworkHost(context, context.allocPd(), context.createCq(MANY));
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  private static SendWr write(long wrId, MemoryRegion from, MemoryRegion to) {
    return SendWr.rdmaWrite(wrId, to.addr(), to.rkey(), from.sge());
  }

  private static void connect(QueuePair qp, int sgidIndex, QueuePair peer, int peerIndex) {
    Gid gid = peer.pd().context().queryGid(1, peerIndex);
    AhAttr address = new AhAttr(GlobalRoute.to(gid, sgidIndex), 0, 1);
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, gid, peer.qpNum(), 0).ahAttr(address));
    qp.modify(Attributes.rts(QpType.RC, 0));
  }

  @Test
  void usesTheGidThatTheAddressVectorNames() {
    NetworkHost a = host("10.0.0.1", "10.0.1.1");
    NetworkHost b = host("10.0.0.2", "10.0.1.2", "10.0.2.2");
    QueuePair from = a.queuePair();
    QueuePair to = b.queuePair();
    connect(from, 1, to, 2);
    connect(to, 2, from, 1);

    from.postSend(write(1, a.region(3_000), b.region(3_000)));
    drain();

    assertThat(Outcomes.of(a.cq.poll(MANY))).containsExactly("1 RDMA_WRITE");
  }

  @Test
  void everyConnectionKeepsItsOwnTime() {
    NetworkHost a = host("10.0.0.1");
    NetworkHost b = host("10.0.0.2");
    Map<Integer, Long> expected = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      QueuePair from = a.queuePair();
      QueuePair absent = b.queuePair();
      int code = 5 + (i * 7) % 13;
      int retryCnt = (i * 3) % 5;
      connect(from, 0, absent, 0);
      from.modify(QpAttr.to(QpState.SQD));
      from.modify(new QpAttr().timeout(code).retryCnt(retryCnt));
      from.modify(QpAttr.to(QpState.RTS));
      absent.close();
      from.postSend(SendWr.send(i));
      expected.put(from.qpNum(), (retryCnt + 1) * (4_096L << code));
    }

    Map<Integer, Long> failed = new HashMap<>();
    while (fabric.scheduler().runNext()) {
      for (WorkCompletion wc : a.cq.poll(MANY)) {
        assertThat(wc.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        failed.put(wc.qpNum(), fabric.scheduler().nowNanos());
      }
    }

    assertThat(failed).isEqualTo(expected);
  }
}
