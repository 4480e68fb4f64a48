// SPDX-License-Identifier: Apache-2.0
/** The verbs and connection manager APIs, and the interfaces by which devices offer themselves. */
@SuppressWarnings("module") // The providers are compiled later.
module io.queuepair.verbs {
  // Annotations only: what may be null.
  requires static org.jspecify;

  exports io.queuepair.rdmacm;
  exports io.queuepair.rdmacm.internal to
      io.queuepair.emulator,
      io.queuepair.nativeprovider,
      io.queuepair.nativeverbs;
  exports io.queuepair.rdmacm.spi;
  exports io.queuepair.umad;
  exports io.queuepair.verbs;
  exports io.queuepair.verbs.spi;

  uses io.queuepair.rdmacm.spi.RdmaCmProvider;
  uses io.queuepair.verbs.spi.VerbsProvider;
}
