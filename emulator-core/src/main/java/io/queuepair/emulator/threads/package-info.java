// SPDX-License-Identifier: Apache-2.0
/**
 * Threads of the application that run one at a time in virtual time, in the same order in every
 * run: {@link io.queuepair.emulator.threads.ThreadScheduler} passes the turn from thread to thread,
 * {@link io.queuepair.emulator.threads.Schedule} decides the order. May use everything but the
 * facade.
 */
@NullMarked
package io.queuepair.emulator.threads;

import org.jspecify.annotations.NullMarked;
