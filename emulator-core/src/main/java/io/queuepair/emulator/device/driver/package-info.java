// SPDX-License-Identifier: Apache-2.0
/**
 * The driver that joins an adapter to a network: {@code HcaDriver} has the lock, the clock and the
 * links.
 */
package io.queuepair.emulator.device.driver;
