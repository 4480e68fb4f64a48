// SPDX-License-Identifier: Apache-2.0
/** The emulated device: the HCA model, the in-memory fabric, faults, capture and traces. */
@SuppressWarnings("module") // The transport is compiled later.
module io.queuepair.emulator {
  requires transitive io.queuepair.verbs;
  // Annotations only: what may be null.
  requires static org.jspecify;
  requires org.slf4j;

  exports io.queuepair.emulator;
  exports io.queuepair.emulator.coverage;
  exports io.queuepair.emulator.fabric;
  exports io.queuepair.emulator.faults;
  exports io.queuepair.emulator.memory to
      io.queuepair.nativeverbs;
  exports io.queuepair.emulator.observe;
  exports io.queuepair.emulator.profile;
  exports io.queuepair.emulator.queue to
      io.queuepair.nativeverbs;
  exports io.queuepair.emulator.threads;

  uses io.queuepair.emulator.coverage.CoverageSink;

  provides io.queuepair.rdmacm.spi.RdmaCmProvider with
      io.queuepair.emulator.InMemoryDevices;
  provides io.queuepair.verbs.spi.VerbsProvider with
      io.queuepair.emulator.InMemoryDevices;
}
