/** The emulated device: the HCA model, the in-memory fabric, faults, capture and traces. */
module io.queuepair.emulator {
  requires transitive io.queuepair.verbs;
  requires org.slf4j;

  exports io.queuepair.emulator;
  exports io.queuepair.emulator.profile;
  exports io.queuepair.emulator.coverage;
  exports io.queuepair.emulator.fabric;
  exports io.queuepair.emulator.faults;
  exports io.queuepair.emulator.snapshot;

  uses io.queuepair.emulator.coverage.CoverageSink;

  provides io.queuepair.verbs.spi.VerbsProvider with
      io.queuepair.emulator.InMemoryDevices;
}
