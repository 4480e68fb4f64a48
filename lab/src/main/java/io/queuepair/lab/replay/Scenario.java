// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.List;

/**
 * Scenario on one line of a recording.
 *
 * @param mode {@code loopback}: both sides are contexts of one device; {@code wire}: two devices;
 *     {@link #RDMA_CM}: two hosts that use the connection manager
 */
record Scenario(String name, String mode, List<Step> steps) {
  /** Mode of rdma_cm programs. */
  static final String RDMA_CM = "rdma_cm";
}
