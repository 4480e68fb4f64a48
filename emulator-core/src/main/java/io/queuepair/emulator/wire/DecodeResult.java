// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Decoded datagram: a packet, or the reason why there is none. */
public sealed interface DecodeResult permits Packet, DropReason {}
