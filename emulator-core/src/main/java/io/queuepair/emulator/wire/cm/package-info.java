// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams and the messages of the InfiniBand communication manager on the wire: one
 * table of fields ({@link io.queuepair.emulator.wire.cm.CmField}), a record for each message, and
 * the private data header by which {@code rdma_cm} carries IP addresses. Everything is a value or a
 * pure function. Whatever bytes arrive, decoding ends in a value.
 *
 * <p>Not here: states, timers, sockets.
 *
 * <p>May use: {@code io.queuepair.emulator.wire}, {@code io.queuepair.verbs} and the JDK.
 */
@NullMarked
package io.queuepair.emulator.wire.cm;

import org.jspecify.annotations.NullMarked;
