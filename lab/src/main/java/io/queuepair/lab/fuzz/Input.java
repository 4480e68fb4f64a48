// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.DatagramBurst;
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
record Input(Traffic traffic, boolean isNear) {
  ByteBuffer bytes() {
    return traffic instanceof Frame frame ? frame.bytes() : ((DatagramBurst) traffic).bytes();
  }

  String hex() {
    ByteBuffer bytes = bytes();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    String text = HexFormat.of().formatHex(copy);
    return traffic instanceof DatagramBurst burst
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
