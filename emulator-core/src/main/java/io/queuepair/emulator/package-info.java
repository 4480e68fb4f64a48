// SPDX-License-Identifier: Apache-2.0
/**
 * The facade: {@link io.queuepair.emulator.Emulator}, the entry point of programs that make their
 * own devices, and the provider of devices for programs that use only the verbs API. It contains no
 * behaviour of a device. May use every package of the emulator.
 */
@NullMarked
package io.queuepair.emulator;

import org.jspecify.annotations.NullMarked;
