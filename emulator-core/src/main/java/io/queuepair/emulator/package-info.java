// SPDX-License-Identifier: Apache-2.0
/**
 * The facade: {@link io.queuepair.emulator.Emulator}, where a program starts that wants devices of
 * its own, and the provider of devices for programs that know verbs only. No behaviour of a device
 * lives here. May use every package of the emulator.
 */
@NullMarked
package io.queuepair.emulator;

import org.jspecify.annotations.NullMarked;
