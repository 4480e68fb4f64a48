// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EmulatorBuilderTest {
  private static final FaultPlan HALF = FaultPlan.parse("drop 50% RC_RDMA_WRITE_ONLY");

  /** When the last of eight WRITEs without data is acknowledged, of which a plan drops some. */
  private static Duration timeUnder(EmulatorBuilder settings) {
    try (Emulator emulator = settings.build()) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      CompletionQueue cq = pd.context().createCq(16);
      QueuePair a = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      Emulator.connect(a, pd.createQp(QpInitAttr.rc(cq, QpCap.of(8))));
      for (int i = 0; i < 8; i++) {
        a.postSend(SendWr.rdmaWrite(i, 0, 0));
      }
      for (int i = 0; i < 8; i++) {
        emulator.await(cq);
      }
      return emulator.now();
    }
  }

  @Test
  void theSeedIsThatOfTheFaultPlan() {
    Duration seven = timeUnder(Emulator.builder().faults(HALF.withSeed(7)));

    assertThat(timeUnder(Emulator.builder().seed(7).faults(HALF))).isEqualTo(seven);
    assertThat(timeUnder(Emulator.builder().faults(HALF.withSeed(3)).seed(7))).isEqualTo(seven);
    assertThat(timeUnder(Emulator.builder().faults(HALF).seed(8))).isNotEqualTo(seven);
  }

  @Test
  void devicesHaveTheProfileAndAName() {
    DeviceProfile profile = DeviceProfile.standard().withPorts(1);
    try (Emulator emulator = Emulator.builder().profile(profile).build()) {
      emulator.addDevice("10.0.0.1");
      EmulatedDevice second = emulator.addDevice("10.0.0.2");

      assertThat(second.name()).isEqualTo("qp1");
      assertThat(second.open().queryDevice().physPortCnt()).isEqualTo(1);
    }
  }

  @Test
  void theDeviceOfAContextIsTheOneThatWasAdded() {
    try (Emulator emulator = Emulator.inMemory()) {
      EmulatedDevice device = emulator.addDevice("10.0.0.1");

      assertThat(EmulatedDevice.of(device.open().device())).isSameAs(device);
      assertThat(emulator.devices()).containsExactly(device);
    }
  }

  @Test
  void aDeviceOfSomethingElseIsRefusedByItsName() {
    Device other =
        (Device)
            Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (proxy, method, arguments) -> "mlx5_0");

    assertThatThrownBy(() -> EmulatedDevice.of(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mlx5_0 is not a device of an emulator");
  }

  @Test
  void aConnectionManagerIsForDevicesOfOneEmulator() {
    try (Emulator emulator = Emulator.inMemory();
        Emulator other = Emulator.inMemory()) {
      EmulatedDevice foreign = other.addDevice("10.0.0.1");

      assertThatThrownBy(() -> emulator.rdmaCm(foreign))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("device qp0 is not a device of emulator of []");
    }
  }

  @Test
  void queuePairsWithoutADomainAreNotConnected() {
    try (Emulator emulator = Emulator.builder().build()) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      QueuePair rc = pd.createQp(QpInitAttr.rc(pd.context().createCq(4), QpCap.of(2)));
      QueuePair target = pd.context().openXrcd().createQp();

      assertThatThrownBy(() -> Emulator.connect(rc, target))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("EINVAL")
          .hasMessageContaining("XRC_RECV");
    }
  }
}
