package io.queuepair.emulator;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.spi.VerbsProvider;
import java.util.List;

/**
 * Devices for applications that know verbs only: on one network in memory and in real time, under
 * the addresses of the system property {@value #ADDRESSES_PROPERTY} (separated by commas; by
 * default two). Created at the first call. Thread-safe.
 */
public final class InMemoryDevices implements VerbsProvider {
  /** The system property that holds the addresses; empty for no devices. */
  public static final String ADDRESSES_PROPERTY = "queuepair.memory.addresses";

  private static final String DEFAULT_ADDRESSES = "10.0.0.1,10.0.0.2";

  /** For the service loader. */
  public InMemoryDevices() {}

  @Override
  public List<Device> devices() {
    return Holder.INSTANCE.devices();
  }

  /**
   * New devices on a network of their own.
   *
   * @param addresses separated by commas; empty for no devices
   * @throws IllegalArgumentException naming the property if there cannot be such devices
   */
  static List<Device> create(String addresses) {
    if (addresses.isEmpty()) {
      return List.of();
    }
    Emulator emulator = Emulator.on(InMemoryFabric.realTime());
    try {
      for (String address : addresses.split(",", -1)) {
        emulator.addDevice(address.trim());
      }
      return emulator.devices();
    } catch (IllegalArgumentException | FabricException refused) {
      emulator.close();
      throw new IllegalArgumentException(
          "-D" + ADDRESSES_PROPERTY + "=" + addresses + ": " + refused.getMessage(), refused);
    }
  }

  /** Every instance offers the same devices; what was refused is tried again by the next call. */
  private static final class Holder {
    static final Holder INSTANCE = new Holder();

    private List<Device> devices;

    synchronized List<Device> devices() {
      if (devices == null) {
        devices = create(System.getProperty(ADDRESSES_PROPERTY, DEFAULT_ADDRESSES));
      }
      return devices;
    }
  }
}
