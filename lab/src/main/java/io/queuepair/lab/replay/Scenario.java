// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.List;

/**
 * One line of a recording.
 *
 * @param mode {@code loopback}: both sides are contexts of one device; {@code wire}: two devices;
 *     {@link #RDMA_CM}: two hosts that connect
 */
record Scenario(String name, String mode, List<Step> steps) {
  /** The mode of programs of rdma_cm. */
  static final String RDMA_CM = "rdma_cm";
}
