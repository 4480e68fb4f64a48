// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Device;
import io.queuepair.verbs.spi.VerbsProvider;
import java.util.List;

/**
 * Offers the devices of the system's libibverbs. Where there are none to be had, as without that
 * library or before JDK 22, it offers none and says why, once, in the log. Thread-safe.
 */
public final class NativeVerbsProvider implements VerbsProvider {
  private static final int FIRST_JDK = 22;

  private static List<Device> known;

  /** Found by the service loader. */
  public NativeVerbsProvider() {
    // All instances offer the same.
  }

  @Override
  public List<Device> devices() {
    synchronized (NativeVerbsProvider.class) {
      if (known == null) {
        known = find();
      }
      return known;
    }
  }

  private static List<Device> find() {
    int feature = Runtime.version().feature();
    if (feature < FIRST_JDK) {
      return none("they need JDK " + FIRST_JDK + " or later, this is " + feature);
    }
    // Older JVMs cannot load the class of the next line; it is loaded when the line is reached.
    try {
      return NativeDevice.all();
    } catch (ExceptionInInitializerError e) {
      return none(e.getCause().getMessage()); // No library, or no --enable-native-access.
    }
  }

  private static List<Device> none(String reason) {
    System.getLogger("io.queuepair.nativeprovider")
        .log(System.Logger.Level.WARNING, "no devices of libibverbs: " + reason);
    return List.of();
  }
}
