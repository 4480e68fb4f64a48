// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import java.util.Arrays;

/** Packets that an engine gets for the time of a call: afterwards another one is in their place. */
final class LentPackets {
  private LentPackets() {}

  static void receive(Engine engine, Packet packet, long nowNanos) {
    MutablePacket lent = new MutablePacket();
    Payload bytes = packet.payload().copy();
    engine.dispatch(lent.copyFrom(packet).setPayload(bytes), 1, nowNanos);
    lent.reset(lent.route(), Opcode.RC_FETCH_ADD, 0, 0, 0).add(new AtomicEth(0, 0, 0, 0));
    Arrays.fill(bytes.buffer().array(), (byte) 0xff);
  }
}
