// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.spi.RdmaCmProvider;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.spi.VerbsProvider;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provides devices and a connection manager for applications that use only the verbs API. The
 * devices are on one in-memory network in real time; their addresses are in the system property
 * {@value #ADDRESSES_PROPERTY} (comma-separated; two by default). They are created at the first
 * call. Thread-safe.
 */
public final class InMemoryDevices implements VerbsProvider, RdmaCmProvider {
  /** The system property that holds the addresses; empty for no devices. */
  public static final String ADDRESSES_PROPERTY = "queuepair.memory.addresses";

  private static final String DEFAULT_ADDRESSES = "10.0.0.1,10.0.0.2";

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public InMemoryDevices() {}

  @Override
  public List<Device> devices() {
    return Holder.INSTANCE.devices();
  }

  @Override
  public Optional<RdmaCm> rdmaCm() {
    return Holder.INSTANCE.rdmaCm();
  }

  /**
   * Creates devices on a new network.
   *
   * @param addresses separated by commas; empty for no devices
   * @throws IllegalArgumentException if an address is invalid or refused; the message names the
   *     property
   */
  static Emulator emulator(String addresses) {
    Emulator emulator = Emulator.on(InMemoryFabric.realTime());
    if (addresses.isEmpty()) {
      emulator.close();
      return emulator;
    }
    try {
      for (String address : addresses.split(",", -1)) {
        emulator.addDevice(address.trim());
      }
      return emulator;
    } catch (IllegalArgumentException | FabricException refused) {
      emulator.close();
      throw new IllegalArgumentException(
          "-D" + ADDRESSES_PROPERTY + "=" + addresses + ": " + refused.getMessage(), refused);
    }
  }

  /** Emulator that all instances share. If its creation fails, the next call tries again. */
  private static final class Holder {
    static final Holder INSTANCE = new Holder();

    private @Nullable Emulator emulator;

    private Emulator emulator() {
      if (emulator == null) {
        emulator =
            InMemoryDevices.emulator(System.getProperty(ADDRESSES_PROPERTY, DEFAULT_ADDRESSES));
      }
      return emulator;
    }

    synchronized List<Device> devices() {
      return List.copyOf(emulator().devices());
    }

    /** Connection manager of the one host that all devices belong to. */
    synchronized Optional<RdmaCm> rdmaCm() {
      List<EmulatedDevice> devices = emulator().devices();
      if (devices.isEmpty()) {
        return Optional.empty();
      }
      EmulatedDevice[] otherDevices =
          devices.subList(1, devices.size()).toArray(EmulatedDevice[]::new);
      return Optional.of(emulator().rdmaCm(devices.get(0), otherDevices));
    }
  }
}
