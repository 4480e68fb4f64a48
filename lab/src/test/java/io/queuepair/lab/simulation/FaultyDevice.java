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
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * A device that breaks a rule of the protocol: it sends packets that it must not send, or believes
 * something else than what reached it.
 */
enum FaultyDevice {
  /** Bits are covered by the ICRC that must not be, or the other way round. */
  ICRC_WRONG {
    @Override
    Packet sent(Packet packet) {
      return packet;
    }
  },
  /** Another partition than that of the queue pair. */
  PKEY_CHANGED {
    @Override
    Packet sent(Packet packet) {
      return packet.with(packet.bth().withPkey(0x8123));
    }
  },
  /** Not the Q_Key that the send asks for. */
  QKEY_CHANGED {
    @Override
    Packet sent(Packet packet) {
      Deth deth = packet.deth();
      return deth == null ? packet : packet.with(new Deth(~deth.qkey(), deth.sourceQpn()));
    }
  },
  /** Every packet asks for an event. */
  ALWAYS_SOLICITED {
    @Override
    Packet sent(Packet packet) {
      return packet.opcode().isRequest() ? packet.with(packet.bth().withSolicited(true)) : packet;
    }
  },
  /** One PSN is never used. */
  PSN_LEFT_OUT {
    @Override
    Packet sent(Packet packet) {
      boolean isRequest = packet.opcode() == Opcode.RC_SEND_ONLY;
      return isRequest ? packet.with(moved(packet.bth(), 1)) : packet;
    }
  },
  /** What is acknowledged is sent again. */
  ACKNOWLEDGED_AGAIN {
    @Override
    Packet sent(Packet packet) {
      boolean isRequest = packet.opcode() == Opcode.RC_SEND_ONLY;
      return isRequest ? packet.with(moved(packet.bth(), -1)) : packet;
    }
  },
  /** A message is not counted. */
  MSN_BEHIND {
    @Override
    Packet sent(Packet packet) {
      Aeth aeth = aethOf(packet);
      return aeth != null && aeth.msn() > 0
          ? packet.with(new Aeth(aeth.syndrome(), aeth.msn() - 1))
          : packet;
    }
  },
  /** Credits are advertised for receives that were not posted. */
  CREDITS_INVENTED {
    @Override
    Packet sent(Packet packet) {
      Aeth aeth = aethOf(packet);
      return aeth != null && aeth.isAck() ? packet.with(Aeth.ack(12, aeth.msn())) : packet;
    }
  },
  /** Another wait than that of the queue pair. */
  RNR_CODE_CHANGED {
    @Override
    Packet sent(Packet packet) {
      Aeth aeth = aethOf(packet);
      return aeth != null && aeth.isRnrNak() ? packet.with(Aeth.rnrNak(0, aeth.msn())) : packet;
    }
  },
  /** What has not arrived is acknowledged. */
  ACK_AHEAD {
    @Override
    Packet sent(Packet packet) {
      boolean isAck = packet.opcode() == Opcode.RC_ACKNOWLEDGE && packet.aeth().isAck();
      return isAck ? packet.with(moved(packet.bth(), 1)) : packet;
    }
  },
  /** Refused for want of a receive, a packet is reported missing as well. */
  GAP_AFTER_REFUSAL {
    @Override
    List<Packet> allSent(Packet packet) {
      Aeth aeth = aethOf(packet);
      return aeth != null && aeth.isRnrNak()
          ? List.of(packet, packet.with(Aeth.nak(NakCode.PSN_SEQUENCE_ERROR, aeth.msn())))
          : List.of(packet);
    }
  },
  /** A gap is reported again and again. */
  GAP_TWICE {
    @Override
    List<Packet> allSent(Packet packet) {
      Aeth aeth = aethOf(packet);
      boolean isGap = aeth != null && aeth.isNak() && aeth.nakCode() == NakCode.PSN_SEQUENCE_ERROR;
      return isGap ? List.of(packet, packet) : List.of(packet);
    }
  },
  /** The requester does not wait for the receiver as long as the RNR timer says. */
  RNR_TIME_CUT {
    @Override
    Packet received(Packet packet) {
      Aeth aeth = aethOf(packet);
      boolean isLonger = aeth != null && aeth.isRnrNak() && aeth.rnrTimerCode() > 1;
      return isLonger ? packet.with(Aeth.rnrNak(1, aeth.msn())) : packet;
    }
  },
  /** It waits longer. */
  RNR_TIME_STRETCHED {
    @Override
    Packet received(Packet packet) {
      Aeth aeth = aethOf(packet);
      boolean isShorter = aeth != null && aeth.isRnrNak();
      return isShorter ? packet.with(Aeth.rnrNak(31, aeth.msn())) : packet;
    }
  },
  /** Credits do not limit it. */
  CREDITS_IGNORED {
    @Override
    Packet received(Packet packet) {
      Aeth aeth = aethOf(packet);
      return aeth != null && aeth.isAck() ? packet.with(Aeth.ack(31, aeth.msn())) : packet;
    }
  },
  /** An ACK makes it send again what is not acknowledged, as if something were lost. */
  RETRIES_WITHOUT_REASON {
    @Override
    Packet received(Packet packet) {
      boolean isAck = packet.opcode() == Opcode.RC_ACKNOWLEDGE && packet.aeth().isAck();
      return isAck
          ? packet
              .with(Aeth.nak(NakCode.PSN_SEQUENCE_ERROR, packet.aeth().msn()))
              .with(moved(packet.bth(), 1))
          : packet;
    }
  },
  /** Who answers does not matter to it. */
  STRANGER_BELIEVED {
    @Override
    InetAddress source(InetAddress source, InetAddress receiver) {
      boolean isStranger = source.getAddress()[LAST_BYTE] == 3;
      return isStranger ? other(receiver) : source;
    }
  };

  private static final int LAST_BYTE = 15;

  /** As large as those of devices, which use again what they get. */
  private static final int LARGEST_BYTES = 1 << 16;

  /** What leaves in place of a packet. */
  Packet sent(Packet packet) {
    return packet;
  }

  List<Packet> allSent(Packet packet) {
    return List.of(sent(packet));
  }

  /** What the device believes to have received. */
  Packet received(Packet packet) {
    return packet;
  }

  /** From whom. */
  InetAddress source(InetAddress source, InetAddress receiver) {
    return source;
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
          for (Packet packet : allSent(decoded(burst, burst.source()))) {
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
          believed.add(packet == null ? burst : encoded(received(packet), burst));
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
