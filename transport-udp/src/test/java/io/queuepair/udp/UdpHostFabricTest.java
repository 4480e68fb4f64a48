// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.DrivenScheduler;
import io.queuepair.emulator.fabric.HostFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A host whose packets leave by UDP, driven by the thread of the test, and a device on UDP. */
final class UdpHostFabricTest {
  private static final int BYTES = 3_000_000;
  private static final Set<AccessFlag> RIGHTS =
      Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  private final DrivenScheduler scheduler = new DrivenScheduler(() -> {});

  private static MemoryRegion memory(ProtectionDomain pd) {
    return pd.regMr(ByteBuffer.allocateDirect(BYTES), RIGHTS);
  }

  private static QueuePair newQp(ProtectionDomain pd) {
    return pd.createQp(QpInitAttr.rc(pd.context().createCq(8), QpCap.of(8)));
  }

  private WcStatus await(CompletionQueue cq) {
    WorkCompletion[] one = new WorkCompletion[1];
    long endNanos = scheduler.nowNanos() + TimeUnit.SECONDS.toNanos(30);
    while (cq.poll(one) == 0) {
      assertThat(scheduler.nowNanos()).isLessThan(endNanos);
      scheduler.runDue(64);
    }
    return one[0].status();
  }

  @Test
  void bytesGoBothWaysBetweenAHostAndADeviceOnUdp() {
    InMemoryFabric inside = InMemoryFabric.drivenBy(scheduler, InMemoryOptions.realTime());
    HostFabric.Outside outside =
        new HostFabric.Outside(4791, false, lost -> UdpFabric.open(UdpOptions.defaults(), lost));
    try (Emulator host = Emulator.on(new HostFabric(inside, outside));
        Emulator far = Emulator.on(UdpFabric.open())) {
      EmulatedDevice device = host.addDevice("127.61.7.1");
      ProtectionDomain own = device.open().allocPd();
      ProtectionDomain other = far.addDevice("127.61.7.2").open().allocPd();
      MemoryRegion source = memory(own);
      MemoryRegion target = memory(other);
      MemoryRegion back = memory(own);
      for (int i = 0; i < BYTES; i += 4) {
        source.buffer().putInt(i, i * 31);
      }
      CompletionQueue cq = own.context().createCq(8);
      QueuePair qp = own.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      Emulator.connect(qp, newQp(other));
      SendWr.RemoteTarget there = new SendWr.RemoteTarget(target.sge().addr(), target.rkey());

      qp.postSend(SendWr.rdmaWrite(1, there.addr(), there.rkey(), source.sge()));
      assertThat(await(cq)).isEqualTo(WcStatus.SUCCESS);
      assertThat(target.buffer()).isEqualTo(source.buffer());

      qp.postSend(SendWr.rdmaRead(2, there.addr(), there.rkey(), back.sge()));
      assertThat(await(cq)).isEqualTo(WcStatus.SUCCESS);
      assertThat(back.buffer()).isEqualTo(source.buffer());
    }
  }
}
