// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Decoded management datagram: a message, or the reason why there is none. */
public sealed interface DecodedMad permits CmMessage, MadRefusal {}
