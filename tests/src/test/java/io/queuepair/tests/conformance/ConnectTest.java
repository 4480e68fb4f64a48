// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Emulator#connect} allows the peer READs, WRITEs and atomics, whatever the device. */
final class ConnectTest {
  private static final int BYTES = 8;

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  static Stream<DeviceProfile> profiles() {
    return Stream.of(DeviceProfile.standard(), DeviceProfile.softRoce());
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void thePeerMayDoWhatItsMemoryAllows(DeviceProfile profile) {
    Context a = emulator.addDevice(profile, "10.0.0.1").open();
    Context b = emulator.addDevice(profile, "10.0.0.2").open();
    ProtectionDomain domain = a.allocPd();
    ProtectionDomain other = b.allocPd();
    CompletionQueue cq = a.createCq(4);
    QueuePair qp = domain.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
    Emulator.connect(qp, other.createQp(QpInitAttr.rc(b.createCq(1), QpCap.of(1))));
    MemoryRegion local = TestEndpoint.registerIn(domain, BYTES, TestEndpoint.ALL_RIGHTS);
    EnumSet<AccessFlag> all = EnumSet.copyOf(TestEndpoint.ALL_RIGHTS);
    all.add(AccessFlag.REMOTE_ATOMIC);
    MemoryRegion remote = TestEndpoint.registerIn(other, BYTES, all);
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(remote.addr(), remote.rkey());

    qp.postSend(
        List.of(
            SendWr.rdmaRead(1, remote.addr(), remote.rkey(), local.sge()),
            SendWr.rdmaWrite(2, remote.addr(), remote.rkey(), local.sge()),
            SendWr.fetchAndAdd(3, target, 1, local.sge())));

    assertThat(Stream.generate(() -> emulator.await(cq)).limit(3).map(Outcomes::of))
        .containsExactly("1 RDMA_READ 8", "2 RDMA_WRITE", "3 FETCH_ADD");
  }
}
