// SPDX-License-Identifier: Apache-2.0
/**
 * Threads of the application that run one at a time in virtual time, the same in every run: {@link
 * io.queuepair.emulator.threads.ThreadScheduler} hands the turn from thread to thread, {@link
 * io.queuepair.emulator.threads.Schedule} says in which order. May use everything but the facade.
 */
@NullMarked
package io.queuepair.emulator.threads;

import org.jspecify.annotations.NullMarked;
