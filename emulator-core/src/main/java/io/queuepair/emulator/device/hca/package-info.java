// SPDX-License-Identifier: Apache-2.0
/**
 * The channel adapter ({@code Hca}): what each verb does. Runs under the lock of the driver, reads
 * no clock and knows no network.
 */
@NullMarked
package io.queuepair.emulator.device.hca;

import org.jspecify.annotations.NullMarked;
