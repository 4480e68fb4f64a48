// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import java.util.function.Supplier;

/**
 * Wait of a thread, for EDEADLK.
 *
 * @param verb that waits
 * @param what says what would end the wait, as a noun; asked only if it is deadlocked
 */
public record WaitDescription(String verb, Supplier<String> what) {}
