// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Verbs;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices that an application finds that knows verbs only. */
final class DeviceListTest {
  @Test
  void holdsTwoDevicesInMemory() throws Exception {
    List<Device> devices = Verbs.devices();

    assertThat(devices).extracting(Device::name).containsExactly("qp0", "qp1");
    try (Context context = devices.get(1).open()) {
      assertThat(context.queryGid(1, 0)).isEqualTo(Gid.of(InetAddress.getByName("10.0.0.2")));
    }
  }
}
