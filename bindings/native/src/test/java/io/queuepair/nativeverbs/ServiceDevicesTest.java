// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.AddressInUseException;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An address that another service is about to give back is waited for; nothing else is. */
final class ServiceDevicesTest {
  private static final Map<String, String> SETTINGS = Map.of(Variables.ADDRESS, "10.0.0.1");

  private final Queue<FabricException> refusals = new ArrayDeque<>();
  private final Fabric network = InMemoryFabric.virtualTime();

  @AfterEach
  void stop() {
    ServiceDevices.stop();
    network.close();
  }

  /** The network in memory, which refuses stations at first. */
  private Fabric refusing() {
    return (Fabric)
        Proxy.newProxyInstance(
            Fabric.class.getClassLoader(),
            new Class<?>[] {Fabric.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("attach") && !refusals.isEmpty()) {
                throw refusals.remove();
              }
              try {
                return method.invoke(network, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  @Test
  void anAddressInUseIsTriedAgain() {
    refusals.addAll(
        List.of(
            new AddressInUseException("taken", null), new AddressInUseException("still", null)));

    ServiceDevices.start(SETTINGS, this::refusing, line -> {});

    assertThat(refusals).isEmpty();
    assertThat(ServiceDevices.devices()).hasSize(1);
  }

  @Test
  void anyOtherRefusalIsSaidAtOnce() {
    refusals.addAll(List.of(new FabricException("no host", null), new FabricException("", null)));

    assertThatThrownBy(() -> ServiceDevices.start(SETTINGS, this::refusing, line -> {}))
        .isInstanceOf(NativeException.class)
        .hasMessage("no device: no host");
    assertThat(refusals).hasSize(1);
  }
}
