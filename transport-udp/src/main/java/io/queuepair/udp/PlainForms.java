// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

/**
 * System properties that turn off what is there for speed only, for networks that are opened while
 * they are set. {@code queuepair bench} compares each with its plain form.
 */
final class PlainForms {
  /** Waiting threads never run the event loop of a network in the background. */
  private static final String NO_LEASE = "queuepair.udp.noLease";

  /** Netty cuts what the kernel merged into one buffer for each datagram. */
  private static final String SLICED_READS = "queuepair.udp.slicedReads";

  private PlainForms() {}

  static boolean leasesLoop() {
    return !Boolean.getBoolean(NO_LEASE);
  }

  static boolean slicesReads() {
    return Boolean.getBoolean(SLICED_READS);
  }
}
