// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Host that is the peer of no queue pair and sends responses without having received a request. */
final class ForeignHost {
  private static final int BYTES = 20;
  private static final int PORT = 0xc123;
  private static final byte ACKNOWLEDGE = 0x11;
  private static final byte REMOTE_ACCESS_NAK = 0x62;
  private static final byte ACK_WITHOUT_LIMIT = 0x1f;

  private final InetAddress address;
  private final Link link;

  ForeignHost(Fabric fabric, InetAddress address) {
    this.address = address;
    link = fabric.attach(address, new Silence());
  }

  /** Sends an ACK, or a NAK, for all packets that a queue pair has sent. */
  void answer(SimulatedQp side, boolean isNak) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.put(ACKNOWLEDGE).put((byte) 0).putShort((short) side.peer().pkey());
    bytes.putInt(side.qp().qpNum()).putInt(side.requester.lastSentPsn());
    bytes.put(isNak ? REMOTE_ACCESS_NAK : ACK_WITHOUT_LIMIT).put(new byte[3]);
    bytes.putInt(0).flip();
    InetAddress target = side.host.gid().toAddress();
    WirePacket.seal(bytes, address, PORT, target);
    link.send(new DatagramBurst(address, PORT, target, bytes, BYTES), null);
    link.endTurn();
  }

  /** Station that ignores arriving packets. */
  private static final class Silence implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      // The host ignores all packets.
    }

    @Override
    public void transmit() {
      // The host sends directly on its link.
    }
  }
}
