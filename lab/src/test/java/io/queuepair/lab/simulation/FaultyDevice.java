// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A device that breaks a rule: it sends packets that it must not send, with a right ICRC, or
 * believes something else than what reached it.
 */
enum FaultyDevice {
  PAYLOAD_CHANGED(changed(Opcode.RC_SEND_ONLY, FaultyDevice::withFirstBitChanged)),
  ATOMIC_TWICE(
      changed(
          Opcode.RC_FETCH_ADD,
          packet -> {
            AtomicEth add = packet.atomicEth();
            return packet.with(
                new AtomicEth(
                    add.virtualAddress(), add.rkey(), 2 * add.swapOrAdd(), add.compare()));
          })),
  WRITE_MISPLACED(changed(Opcode.RC_RDMA_WRITE_ONLY, FaultyDevice::withNextAddress)),
  IMMEDIATE_CHANGED(
      changed(
          Opcode.RC_SEND_ONLY_WITH_IMM,
          packet -> packet.with(new ImmDt(packet.immDt().immediate() + 1)))),
  /** Executed as one without data, so that too little is delivered. */
  SEND_EMPTIED(changed(Opcode.RC_SEND_ONLY, packet -> with(packet, Payload.EMPTY))),
  /** It brings other bytes. */
  READ_CHANGED(changed(Opcode.RC_RDMA_READ_REQUEST, FaultyDevice::withNextAddress)),

  ICRC_WRONG(packet -> packet),
  PKEY_CHANGED(packet -> packet.with(packet.bth().withPkey(0x8123))),
  QKEY_CHANGED(
      packet -> {
        Deth deth = packet.deth();
        return deth == null ? packet : packet.with(new Deth(~deth.qkey(), deth.sourceQpn()));
      }),
  ALWAYS_SOLICITED(
      packet ->
          packet.opcode().isRequest() ? packet.with(packet.bth().withSolicited(true)) : packet),
  PSN_LEFT_OUT(changed(Opcode.RC_SEND_ONLY, packet -> packet.with(moved(packet.bth(), 1)))),
  ACKNOWLEDGED_AGAIN(changed(Opcode.RC_SEND_ONLY, packet -> packet.with(moved(packet.bth(), -1)))),
  MSN_BEHIND(changed(aeth -> aeth.msn() > 0, aeth -> new Aeth(aeth.syndrome(), aeth.msn() - 1))),
  CREDITS_INVENTED(changed(Aeth::isAck, aeth -> Aeth.ack(12, aeth.msn()))),
  RNR_CODE_CHANGED(changed(Aeth::isRnrNak, aeth -> Aeth.rnrNak(0, aeth.msn()))),
  /** Packets that have not arrived are acknowledged. */
  ACK_AHEAD(packet -> isAck(packet) ? packet.with(moved(packet.bth(), 1)) : packet),
  /** Refused for want of a receive, a packet is reported missing as well. */
  GAP_AFTER_REFUSAL(
      packet -> {
        Aeth aeth = aethOf(packet);
        return aeth != null && aeth.isRnrNak()
            ? List.of(packet, packet.with(Aeth.nak(NakCode.PSN_SEQUENCE_ERROR, aeth.msn())))
            : List.of(packet);
      },
      packet -> packet),
  GAP_TWICE(
      packet -> {
        Aeth aeth = aethOf(packet);
        boolean isGap =
            aeth != null && aeth.isNak() && aeth.nakCode() == NakCode.PSN_SEQUENCE_ERROR;
        return isGap ? List.of(packet, packet) : List.of(packet);
      },
      packet -> packet),
  RNR_TIME_CUT(
      List::of,
      changed(
          aeth -> aeth.isRnrNak() && aeth.rnrTimerCode() > 1, aeth -> Aeth.rnrNak(1, aeth.msn()))),
  RNR_TIME_STRETCHED(List::of, changed(Aeth::isRnrNak, aeth -> Aeth.rnrNak(31, aeth.msn()))),
  CREDITS_IGNORED(List::of, changed(Aeth::isAck, aeth -> Aeth.ack(31, aeth.msn()))),
  /** An ACK makes it send again what is not acknowledged, as if something were lost. */
  RETRIES_WITHOUT_REASON(
      List::of,
      packet ->
          isAck(packet)
              ? packet
                  .with(Aeth.nak(NakCode.PSN_SEQUENCE_ERROR, packet.aeth().msn()))
                  .with(moved(packet.bth(), 1))
              : packet),
  /** The sender of an answer does not matter to it. */
  STRANGER_BELIEVED(packet -> packet);

  private static final int LAST_BYTE = 15;

  /** As large as those of devices, which use again what they get. */
  private static final int LARGEST_BYTES = 1 << 16;

  /** Packets that leave in place of one. */
  private final Function<Packet, List<Packet>> sent;

  /** The packet that the device believes to have received. */
  private final UnaryOperator<Packet> received;

  FaultyDevice(UnaryOperator<Packet> sent) {
    this(packet -> List.of(sent.apply(packet)), packet -> packet);
  }

  FaultyDevice(Function<Packet, List<Packet>> sent, UnaryOperator<Packet> received) {
    this.sent = sent;
    this.received = received;
  }

  private static UnaryOperator<Packet> changed(Opcode opcode, UnaryOperator<Packet> change) {
    return packet -> packet.opcode() == opcode ? change.apply(packet) : packet;
  }

  private static UnaryOperator<Packet> changed(Predicate<Aeth> which, UnaryOperator<Aeth> change) {
    return packet -> {
      Aeth aeth = aethOf(packet);
      return aeth != null && which.test(aeth) ? packet.with(change.apply(aeth)) : packet;
    };
  }

  private static Packet withNextAddress(Packet packet) {
    Reth reth = packet.reth();
    return packet.with(new Reth(reth.virtualAddress() + 1, reth.rkey(), reth.dmaLength()));
  }

  private static Packet withFirstBitChanged(Packet packet) {
    Payload payload = packet.payload().copy();
    if (!payload.isEmpty()) {
      payload.buffer().put(0, (byte) (payload.buffer().get(0) ^ 1));
    }
    return with(packet, payload);
  }

  private static Packet with(Packet packet, Payload payload) {
    return new Packet(packet.route(), packet.bth(), packet.extensions(), payload);
  }

  private static boolean isAck(Packet packet) {
    return packet.opcode() == Opcode.RC_ACKNOWLEDGE && packet.aeth().isAck();
  }

  /** From whom it believes to have received. */
  private InetAddress source(InetAddress source, InetAddress receiver) {
    boolean isStranger = source.getAddress()[LAST_BYTE] == 3;
    return this == STRANGER_BELIEVED && isStranger ? other(receiver) : source;
  }

  private static Bth moved(Bth bth, int psns) {
    return bth.withPsn((bth.psn() + psns) & 0xff_ffff);
  }

  private static Aeth aethOf(Packet packet) {
    return packet.opcode().hasAeth() ? packet.aeth() : null;
  }

  private static InetAddress other(InetAddress address) {
    byte[] bytes = address.getAddress();
    bytes[LAST_BYTE] ^= 3;
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The network as such a device sees it. */
  UnaryOperator<Fabric> network() {
    return FaultyDeviceFabric::new;
  }

  /** Changes what devices send and receive. */
  private final class FaultyDeviceFabric extends ForwardingFabric {
    private final PacketCodec codec = new PacketCodec();

    private FaultyDeviceFabric(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      return new ForwardingLink(super.attach(address, new FaultyStation(address, station))) {
        @Override
        public void send(Traffic traffic, String note) {
          DatagramBurst burst = (DatagramBurst) traffic;
          for (Packet packet : sent.apply(decoded(burst, burst.source()))) {
            super.send(encoded(packet, burst), note);
          }
        }
      };
    }

    private Packet decoded(DatagramBurst burst, InetAddress source) {
      ByteBuffer bytes = burst.bytes();
      Route route = new Route(source, burst.destination(), burst.sourcePort(), 0, 64, 0);
      return codec.decodeUnchecked(route, bytes, bytes.position(), bytes.remaining())
              instanceof Packet packet
          ? packet.copy()
          : null;
    }

    private DatagramBurst encoded(Packet packet, DatagramBurst burst) {
      ByteBuffer bytes = ByteBuffer.allocate(LARGEST_BYTES);
      int length = codec.encode(packet, 0, bytes, 0);
      bytes.limit(length);
      if (FaultyDevice.this == ICRC_WRONG) {
        bytes.put(length - 1, (byte) ~bytes.get(length - 1));
      }
      Route route = packet.route();
      return new DatagramBurst(
          route.source(), burst.sourcePort(), route.destination(), bytes, length);
    }

    /** A station that does not see what arrives. */
    private final class FaultyStation implements Station {
      private final InetAddress address;
      private final Station station;

      private FaultyStation(InetAddress address, Station station) {
        this.address = address;
        this.station = station;
      }

      @Override
      public void receive(List<? extends Traffic> traffic) {
        List<Traffic> believed = new ArrayList<>();
        for (Traffic one : traffic) {
          DatagramBurst burst = (DatagramBurst) one;
          Packet packet = decoded(burst, source(burst.source(), address));
          believed.add(packet == null ? burst : encoded(received.apply(packet), burst));
        }
        station.receive(believed);
      }

      @Override
      public void transmit() {
        station.transmit();
      }

      @Override
      public OptionalInt requesterOf(InetAddress responder, int destQpn) {
        return station.requesterOf(responder, destQpn);
      }
    }
  }
}
