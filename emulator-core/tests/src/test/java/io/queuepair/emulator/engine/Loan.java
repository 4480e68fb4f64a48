package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketSlot;
import io.queuepair.emulator.wire.Payload;
import java.util.Arrays;

/** Packets that an engine gets for the time of a call: afterwards another one is in their place. */
final class Loan {
  private Loan() {}

  static void receive(Engine engine, Packet packet, long nowNanos) {
    PacketSlot lent = new PacketSlot();
    Payload bytes = packet.payload().copy();
    engine.receive(lent.become(packet).carry(bytes), 1, nowNanos);
    lent.start(lent.route(), Opcode.RC_FETCH_ADD, 0, 0, 0).add(new AtomicEth(0, 0, 0, 0));
    Arrays.fill(bytes.buffer().array(), (byte) 0xff);
  }
}
