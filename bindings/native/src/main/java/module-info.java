// SPDX-License-Identifier: Apache-2.0
/**
 * Unmodified C programs on an emulated device: a C library that is loaded before libibverbs, and
 * its Java side.
 */
module io.queuepair.nativeverbs {
  requires transitive io.queuepair.emulator;
  requires io.queuepair.udp;

  exports io.queuepair.nativeverbs;
}
