// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Unit that an adapter sends: a RoCEv2 packet, or a frame that the application made itself. */
public sealed interface TransmitUnit permits Packet, PortFrame {
  /** Bytes of the payload; a frame is nothing else. */
  int payloadBytes();

  /** Copies it to memory that no other code can change. */
  TransmitUnit copy();
}
