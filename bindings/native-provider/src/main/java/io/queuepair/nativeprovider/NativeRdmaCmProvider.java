// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.spi.RdmaCmProvider;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.VerbsException;
import java.util.List;
import java.util.Optional;

/**
 * Offers the connection manager of the system, librdmacm. Where there is none to be had it says
 * why, once, in the log, and the devices are there without it. Thread-safe.
 */
public final class NativeRdmaCmProvider implements RdmaCmProvider {
  private static Optional<RdmaCm> known;

  /** Found by the service loader. */
  public NativeRdmaCmProvider() {
    // All instances offer the same.
  }

  @Override
  public Optional<RdmaCm> rdmaCm() {
    synchronized (NativeRdmaCmProvider.class) {
      if (known == null) {
        known = find();
      }
      return known;
    }
  }

  /** Without devices there is a line in the log about them already. */
  private static Optional<RdmaCm> find() {
    List<Device> devices = new NativeVerbsProvider().devices();
    if (devices.isEmpty()) {
      return Optional.empty();
    }
    // Older JVMs cannot load the class of the next line; they have no devices, either.
    try {
      return Optional.of(NativeRdmaCm.open(devices));
    } catch (ExceptionInInitializerError e) {
      return none(e.getCause().getMessage()); // No library.
    } catch (VerbsException e) {
      return none(e.getMessage());
    }
  }

  private static Optional<RdmaCm> none(String reason) {
    System.getLogger("io.queuepair.nativeprovider")
        .log(System.Logger.Level.WARNING, "no connection manager of librdmacm: " + reason);
    return Optional.empty();
  }
}
