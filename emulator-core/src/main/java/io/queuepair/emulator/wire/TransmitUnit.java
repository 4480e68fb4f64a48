// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Unit that an adapter sends: a RoCEv2 packet, or a frame that an application made. */
public sealed interface TransmitUnit permits Packet, PortFrame {
  /** Length of the payload in bytes; the payload of a frame is the whole frame. */
  int payloadBytes();

  /** Copies the unit to memory that no other code can change. */
  TransmitUnit copy();
}
