// SPDX-License-Identifier: Apache-2.0
/**
 * The driver that joins an adapter to a network: {@code HcaDriver} has the lock, the clock and the
 * links.
 */
@NullMarked
package io.queuepair.emulator.device.driver;

import org.jspecify.annotations.NullMarked;
