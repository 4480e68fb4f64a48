package io.queuepair.tools.workload;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.verbs.QpState;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A fabric that looks at every packet before it meets its fate: nothing may come from a queue pair
 * that must be silent.
 */
final class Watch extends ForwardingFabric {
  /** Offsets in the base transport header, and what its opcodes mean. */
  private static final int OPCODE_AT = 0;

  private static final int DEST_QP_AT = 4;
  private static final int QPN_MASK = 0xff_ffff;
  private static final int FIRST_RESPONSE = 0x0d;
  private static final int LAST_RESPONSE = 0x12;

  private final Trace trace;

  /** By address and number. */
  private final Map<InetAddress, Map<Integer, Side>> sides = new LinkedHashMap<>();

  /** Numbers of the queue pairs that sent or received since this was last asked for. */
  private final Set<Integer> touched = new TreeSet<>();

  Watch(Fabric fabric, Trace trace) {
    super(fabric);
    this.trace = trace;
  }

  void add(Side side) {
    InetAddress address = side.host().gid().toAddress();
    sides.computeIfAbsent(address, host -> new TreeMap<>()).put(side.qp().qpNum(), side);
  }

  /** Forgets which queue pairs sent or received. */
  List<Integer> takeTouched() {
    List<Integer> taken = List.copyOf(touched);
    touched.clear();
    return taken;
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return new ForwardingLink(super.attach(address, new WatchedStation(station))) {
      @Override
      public void send(Traffic traffic) {
        sent((Burst) traffic);
        super.send(traffic);
      }
    };
  }

  /** A station whose arrivals are noted. */
  private final class WatchedStation implements Station {
    private final Station station;

    private WatchedStation(Station station) {
      this.station = station;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      for (Traffic one : traffic) {
        Side receiver = receiverOf((Burst) one);
        if (receiver != null) {
          touched.add(receiver.number());
        }
      }
      station.receive(traffic);
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

  /** Whom a datagram names; null if that is nobody. */
  private Side receiverOf(Burst burst) {
    int at = burst.bytes().position() + DEST_QP_AT;
    int destQpn = burst.bytes().getInt(at) & QPN_MASK;
    return sides.getOrDefault(burst.destination(), Map.of()).get(destQpn);
  }

  private void sent(Burst burst) {
    ByteBuffer bytes = burst.bytes();
    trace.packet(scheduler().nowNanos(), bytes);
    int opcode = Byte.toUnsignedInt(bytes.get(bytes.position() + OPCODE_AT));
    Side receiver = receiverOf(burst);
    Violation.unless(receiver != null, "a packet with opcode 0x%02x to nobody", opcode);
    touched.add(receiver.peer().number());
    boolean isResponse = opcode >= FIRST_RESPONSE && opcode <= LAST_RESPONSE;
    Side sender = receiver.peer();
    Violation.unless(
        isResponse ? mayAnswer(sender) : mayAsk(sender),
        "%s sent a packet with opcode 0x%02x, though it must be silent",
        sender,
        opcode);
  }

  private static boolean mayAsk(Side side) {
    return side.state() == QpState.RTS || (side.state() == QpState.SQD && !side.isDrained());
  }

  private static boolean mayAnswer(Side side) {
    return switch (side.state()) {
      case RTR, RTS, SQD, SQE -> true;
      case ERR -> side.mayAnswerInError();
      case RESET, INIT, UNKNOWN -> false;
    };
  }
}
