// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;

/** What a broken device would put on the wire: packets that are wrong, with a right ICRC. */
enum FaultyPacket {
  /** The data of a message is not what was posted. */
  PAYLOAD_CHANGED(Opcode.RC_SEND_ONLY) {
    @Override
    Packet change(Packet packet) {
      Payload changed = packet.payload().copy();
      if (!changed.isEmpty()) {
        changed.buffer().put(0, (byte) (changed.buffer().get(0) ^ 1));
      }
      return with(packet, packet.extensions(), changed);
    }
  },
  /** An addition has the effect of two. */
  ATOMIC_TWICE(Opcode.RC_FETCH_ADD) {
    @Override
    Packet change(Packet packet) {
      AtomicEth add = packet.atomicEth();
      AtomicEth twice =
          new AtomicEth(add.virtualAddress(), add.rkey(), 2 * add.swapOrAdd(), add.compare());
      return with(packet, List.of(twice), packet.payload());
    }
  },
  /** A WRITE goes past its target. */
  WRITE_MISPLACED(Opcode.RC_RDMA_WRITE_ONLY) {
    @Override
    Packet change(Packet packet) {
      Reth reth = packet.reth();
      Reth behind = new Reth(reth.virtualAddress() + 1, reth.rkey(), reth.dmaLength());
      return with(packet, List.of(behind), packet.payload());
    }
  },
  /** The receiver gets another immediate. */
  IMMEDIATE_CHANGED(Opcode.RC_SEND_ONLY_WITH_IMM) {
    @Override
    Packet change(Packet packet) {
      return with(packet, List.of(new ImmDt(packet.immDt().immediate() + 1)), packet.payload());
    }
  },
  /** A SEND is executed as one without data, so that too little is delivered. */
  SEND_EMPTIED(Opcode.RC_SEND_ONLY) {
    @Override
    Packet change(Packet packet) {
      return with(packet, packet.extensions(), Payload.EMPTY);
    }
  },
  /** A READ brings other bytes. */
  READ_CHANGED(Opcode.RC_RDMA_READ_REQUEST) {
    @Override
    Packet change(Packet packet) {
      Reth reth = packet.reth();
      Reth further = new Reth(reth.virtualAddress() + 1, reth.rkey(), reth.dmaLength());
      return with(packet, List.of(further), packet.payload());
    }
  };

  private final Opcode target;

  FaultyPacket(Opcode target) {
    this.target = target;
  }

  abstract Packet change(Packet packet);

  private static Packet with(Packet packet, List<ExtensionHeader> extensions, Payload payload) {
    return new Packet(packet.route(), packet.bth(), extensions, payload);
  }

  /** The network with such packets on it. */
  UnaryOperator<Fabric> network() {
    return FaultyPacketFabric::new;
  }

  /** Changes every packet with the opcode. */
  private final class FaultyPacketFabric extends ForwardingFabric {
    private final PacketCodec codec = new PacketCodec();

    private FaultyPacketFabric(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      return new ForwardingLink(super.attach(address, station)) {
        @Override
        public void send(Traffic traffic, String note) {
          super.send(changed((DatagramBurst) traffic), note);
        }
      };
    }

    private DatagramBurst changed(DatagramBurst burst) {
      ByteBuffer bytes = burst.bytes();
      Route route = new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, 64, 0);
      Packet packet = (Packet) codec.decode(route, bytes, bytes.position(), bytes.remaining());
      if (packet.opcode() != target) {
        return burst;
      }
      int length = codec.encode(change(packet.copy()), 0, bytes.limit(bytes.capacity()), 0);
      bytes.position(0).limit(length);
      return new DatagramBurst(
          burst.source(), burst.sourcePort(), burst.destination(), bytes, length);
    }
  }
}
