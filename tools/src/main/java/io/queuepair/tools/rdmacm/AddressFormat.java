// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

/** How the addresses of {@code -s} and {@code -b} are written. */
enum AddressFormat {
  NAME,
  IP,
  IPV6,
  GID;

  boolean isNumeric() {
    return this != NAME;
  }
}
