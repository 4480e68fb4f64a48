// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 on the wire: tables of opcodes and headers, encoding and decoding of packets, the
 * invariant CRC, and small arithmetic of the protocol (PSN, P_Key rule, timer and credit codes).
 * Also frames that applications make, and what adapters compute in them. Everything is a value or a
 * pure function, except {@link PacketCodec} and {@link Icrc}, which own scratch space, and the
 * offloads, which write into the bytes they are given. Management datagrams and the messages of the
 * InfiniBand communication manager are here, too: one table of fields ({@link CmField}), by which
 * {@link CmMessage} reads and writes them, and the private data header in which {@code rdma_cm}
 * carries IP addresses. Decoding never throws, whatever bytes arrive.
 *
 * <p>Not here: state of a connection, memory of an application, sockets, time. The rules for
 * payload lengths are here ({@link PayloadRule}); the engine applies them.
 *
 * <p>May use: {@code io.queuepair.verbs} and the JDK.
 */
@NullMarked
package io.queuepair.emulator.wire;

import org.jspecify.annotations.NullMarked;
