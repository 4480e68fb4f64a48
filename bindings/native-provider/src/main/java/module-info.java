// SPDX-License-Identifier: Apache-2.0
/** The devices of the system's libibverbs, and its connection manager: adapters, and Soft-RoCE. */
module io.queuepair.nativeprovider {
  requires transitive io.queuepair.verbs;

  exports io.queuepair.nativeprovider;

  provides io.queuepair.rdmacm.spi.RdmaCmProvider with
      io.queuepair.nativeprovider.NativeRdmaCmProvider;
  provides io.queuepair.verbs.spi.VerbsProvider with
      io.queuepair.nativeprovider.NativeVerbsProvider;
}
