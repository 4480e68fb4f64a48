// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 on the wire: opcodes and headers as tables, packets to bytes and back, the invariant CRC,
 * and the small arithmetic of the protocol (PSN, P_Key rule, timer and credit codes). Also frames
 * that applications make, with what adapters compute in them. Everything is a value or a pure
 * function, except {@link PacketCodec} and {@link Icrc}, which own scratch space, and the offloads,
 * which write into the bytes they are given. Management datagrams and the messages of the
 * InfiniBand communication manager are here, too: one table of fields ({@link CmField}), by
 * which {@link CmMessage} reads and writes them, and the private data header by which {@code
 * rdma_cm} carries IP addresses. Whatever bytes arrive, decoding ends in a value.
 *
 * <p>Not here: state of a connection, memory of an application, sockets, time. Whether a payload
 * has the size its opcode demands is stated here ({@link PayloadRule}) and judged by the engine.
 *
 * <p>May use: {@code io.queuepair.verbs} and the JDK.
 */
@NullMarked
package io.queuepair.emulator.wire;

import org.jspecify.annotations.NullMarked;
