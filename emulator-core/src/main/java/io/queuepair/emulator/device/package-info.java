// SPDX-License-Identifier: Apache-2.0
/**
 * A device on a network: the objects of the verbs, as an application holds them; {@link
 * io.queuepair.emulator.device.HcaDriver}, which joins the channel adapter to a network and has the
 * lock, the clock and the links; blocking calls.
 */
@NullMarked
package io.queuepair.emulator.device;

import org.jspecify.annotations.NullMarked;
