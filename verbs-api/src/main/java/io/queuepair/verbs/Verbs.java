package io.queuepair.verbs;

import io.queuepair.verbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Where an application that knows no particular device starts. */
public final class Verbs {
  private Verbs() {}

  /**
   * The devices of all providers on the class or module path.
   *
   * @return the devices, maybe none
   */
  @Verb("ibv_get_device_list")
  public static List<Device> devices() {
    List<Device> devices = new ArrayList<>();
    for (VerbsProvider provider : ServiceLoader.load(VerbsProvider.class)) {
      devices.addAll(provider.devices());
    }
    return List.copyOf(devices);
  }
}
