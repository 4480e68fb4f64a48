package io.queuepair.emulator;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.device.EmulatedDevice;
import java.util.List;
import java.util.ServiceLoader;

/** Everybody on the class or module path who collects coverage. */
final class CoverageSinks {
  /** Looked for once: what a test runner or an application consists of does not change. */
  private static final List<CoverageSink> ALL =
      ServiceLoader.load(CoverageSink.class).stream().map(ServiceLoader.Provider::get).toList();

  private CoverageSinks() {}

  static void report(List<EmulatedDevice> devices) {
    for (CoverageSink sink : ALL) {
      for (EmulatedDevice device : devices) {
        Coverage coverage = device.coverage();
        sink.add(device.profile(), coverage);
      }
    }
  }
}
