// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.device.HcaDevice;
import java.util.List;
import java.util.ServiceLoader;

final class CoverageSinks {
  /** Loaded once: the class or module path of a process does not change. */
  private static final List<CoverageSink> ALL =
      ServiceLoader.load(CoverageSink.class).stream().map(ServiceLoader.Provider::get).toList();

  private CoverageSinks() {}

  static void report(List<? extends HcaDevice> devices) {
    for (CoverageSink sink : ALL) {
      for (HcaDevice device : devices) {
        Coverage coverage = device.coverage();
        sink.add(device.profile(), coverage);
      }
    }
  }
}
