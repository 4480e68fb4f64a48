// SPDX-License-Identifier: Apache-2.0
/**
 * The communication manager of InfiniBand (volume 1, chapter 12) as a passive engine: messages,
 * calls of the layer above and the time go in; messages, events and the next deadline come out.
 * One table has the effect of each message and call in each state: {@link
 * io.queuepair.emulator.cm.CmTransition}.
 *
 * <p>Not here: IP addresses and ports, queue pairs, programs. Nothing waits, no clock is read, no
 * lock is taken.
 *
 * <p>May use: {@code io.queuepair.emulator.wire}, {@code io.queuepair.verbs} and the JDK.
 */
@NullMarked
package io.queuepair.emulator.cm;

import org.jspecify.annotations.NullMarked;
