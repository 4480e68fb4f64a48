package io.queuepair.tools.fuzz;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.Traffic;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A datagram, or an Ethernet frame, that is sent to the device under fire.
 *
 * @param traffic as it arrives
 * @param isNear whether it has a valid ICRC, the number of a live queue pair, and a PSN near those
 *     that this expects
 */
record Shot(Traffic traffic, boolean isNear) {
  String hex() {
    ByteBuffer bytes = traffic instanceof Frame frame ? frame.bytes() : ((Burst) traffic).bytes();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    String text = HexFormat.of().formatHex(copy);
    return traffic instanceof Burst burst
        ? burst.source().getHostAddress()
            + " -> "
            + burst.destination().getHostAddress()
            + " port "
            + burst.sourcePort()
            + ": "
            + text
        : "frame: " + text;
  }
}
