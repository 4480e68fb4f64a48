// SPDX-License-Identifier: Apache-2.0
/** The devices of the system's libibverbs: adapters, and Soft-RoCE. */
module io.queuepair.nativeprovider {
  requires transitive io.queuepair.verbs;

  exports io.queuepair.nativeprovider;

  provides io.queuepair.verbs.spi.VerbsProvider with
      io.queuepair.nativeprovider.NativeVerbsProvider;
}
