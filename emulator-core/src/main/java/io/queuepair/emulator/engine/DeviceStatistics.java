// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters of a device, for {@link Coverage} and for its ports. */
public final class DeviceStatistics {
  private static final String RNR_NAK = "RNR_NAK";
  private static final String RESERVED = "RESERVED";
  private static final QpType[] TYPES = QpType.values();
  private static final QpState[] STATES = QpState.values();

  /** Names by queue pair type and state, built once because every device uses them. */
  private static final String[][] STATE_NAMES = stateNames();

  /** Names by queue pair type, old state and new state. */
  private static final String[][][] TRANSITION_NAMES = transitionNames();

  private final EnumCounter<DropReason> drops = new EnumCounter<>(DropReason.class);
  private final EnumCounter<Opcode> sent = new EnumCounter<>(Opcode.class);
  private final EnumCounter<Opcode> received = new EnumCounter<>(Opcode.class);
  private final EnumCounter<WcStatus> statuses = new EnumCounter<>(WcStatus.class);
  private final EnumCounter<EventType> events = new EnumCounter<>(EventType.class);
  private final EnumCounter<RequestStatus> requestStatuses = new EnumCounter<>(RequestStatus.class);
  private final EnumCounter<MemoryFault> faults = new EnumCounter<>(MemoryFault.class);
  private final Map<String, Long> naksSent = noNaks();
  private final Map<String, Long> naksReceived = noNaks();

  /** Transitions by queue pair type, old and new state; null for types without transitions. */
  private final long[][] transitions = new long[TYPES.length][];

  private long transitionCount;

  /** Created queue pairs by type: each is in RESET without a transition. */
  private final EnumCounter<QpType> created = new EnumCounter<>(QpType.class);

  /** Counts by port number, from 1; index 0 is for packets without a port. */
  private final List<PortCounts> ports = new ArrayList<>();

  /** Number of completions and asynchronous events. */
  private long notificationCount;

  public DeviceStatistics() {}

  private static final class PortCounts {
    private final EnumCounter<HwCounter> events = new EnumCounter<>(HwCounter.class);
    private final EnumCounter<DropReason> drops = new EnumCounter<>(DropReason.class);
    private final PortTraffic sent = new PortTraffic();
    private final PortTraffic received = new PortTraffic();
  }

  private static final class PortTraffic {
    private long packets;
    private long multicastPackets;

    /** Octets of frames without FCS, as InfiniBand counts those without delimiters and VCRC. */
    private long octets;

    private void add(Packet packet) {
      packets++;
      octets += EthernetFrame.headerBytes(packet.route()) + PacketCodec.encodedBytes(packet);
      if (packet.route().destination().isMulticastAddress()) {
        multicastPackets++;
      }
    }

    private void show(String direction, Map<String, Long> counters) {
      counters.put("port_" + direction + "_data", octets / 4);
      counters.put("port_" + direction + "_packets", packets);
      counters.put("unicast_" + direction + "_packets", packets - multicastPackets);
      counters.put("multicast_" + direction + "_packets", multicastPackets);
    }
  }

  private PortCounts at(int portNum) {
    while (ports.size() <= portNum) {
      ports.add(new PortCounts());
    }
    return ports.get(portNum);
  }

  public void count(int portNum, HwCounter counter) {
    at(portNum).events.count(counter);
  }

  public void sent(int portNum, Packet packet) {
    count(portNum, HwCounter.SENT_PKTS);
    at(portNum).sent.add(packet);
  }

  public void received(int portNum, Packet packet) {
    count(portNum, HwCounter.RCVD_PKTS);
    at(portNum).received.add(packet);
  }

  /** Traffic counters of a port, by their names in Linux sysfs. */
  public Map<String, Long> traffic(int portNum) {
    Map<String, Long> counters = new LinkedHashMap<>();
    at(portNum).sent.show("xmit", counters);
    at(portNum).received.show("rcv", counters);
    return counters;
  }

  /** Counts an arrived packet that a queue pair dropped, or that no queue pair takes. */
  public void dropped(int portNum, DropReason reason) {
    drops.count(reason);
    at(portNum).drops.count(reason);
  }

  public Map<HwCounter, Long> counters(int portNum) {
    Map<HwCounter, Long> counters = new EnumMap<>(HwCounter.class);
    for (HwCounter counter : HwCounter.values()) {
      counters.put(counter, at(portNum).events.of(counter));
    }
    return counters;
  }

  public long drops(int portNum, DropReason reason) {
    return at(portNum).drops.of(reason);
  }

  private static Map<String, Long> noNaks() {
    Map<String, Long> none = new LinkedHashMap<>();
    none.put(RNR_NAK, 0L);
    for (NakCode code : NakCode.values()) {
      none.put(code.name(), 0L);
    }
    none.put(RESERVED, 0L);
    return none;
  }

  public EnumCounter<DropReason> drops() {
    return drops;
  }

  public void created(QpType type) {
    created.count(type);
  }

  public void stateEntered(QpType type, QpState from, QpState to) {
    if (transitions[type.ordinal()] == null) {
      transitions[type.ordinal()] = new long[STATES.length * STATES.length];
    }
    transitions[type.ordinal()][from.ordinal() * STATES.length + to.ordinal()]++;
    transitionCount++;
  }

  public long transitionCount() {
    return transitionCount;
  }

  /** Counts opcode and NAK code of a sent packet. */
  public void sent(Packet packet) {
    sent.count(packet.opcode());
    countNak(packet, naksSent);
  }

  /** Counts opcode and NAK code of a packet that a queue pair accepted. */
  public void received(Packet packet) {
    received.count(packet.opcode());
    countNak(packet, naksReceived);
  }

  private static void countNak(Packet packet, Map<String, Long> naks) {
    if (packet.opcode().hasAeth() && !packet.aeth().isAck()) {
      naks.merge(nameOf(packet.aeth()), 1L, Long::sum);
    }
  }

  private static String nameOf(Aeth nak) {
    if (nak.isRnrNak()) {
      return RNR_NAK;
    }
    return nak.isNak() && nak.nakCode() != null ? nak.nakCode().name() : RESERVED;
  }

  public void completed(WcStatus status) {
    notificationCount++;
    statuses.count(status);
  }

  public void raised(EventType event) {
    notificationCount++;
    events.count(event);
  }

  /**
   * Counts a decision of the responder.
   *
   * @param fault memory rule that the request broke, or null
   */
  public void requestChecked(RequestStatus requestStatus, @Nullable MemoryFault fault) {
    requestStatuses.count(requestStatus);
    if (fault != null) {
      faults.count(fault);
    }
  }

  public long notificationCount() {
    return notificationCount;
  }

  /** Completions, events and accepted requests: a measure of progress; refusals are none. */
  public long progressCount() {
    return notificationCount + requestStatuses.of(RequestStatus.ACCEPT);
  }

  /**
   * Coverage so far, with the names that devices of the profile can never cover.
   *
   * @param profile profile of the device
   */
  public Coverage toCoverage(DeviceProfile profile) {
    Map<CoverageGroup, Map<String, Long>> hitsByGroup = new EnumMap<>(CoverageGroup.class);
    hitsByGroup.put(CoverageGroup.OPCODE_SENT, sent.byName());
    hitsByGroup.put(CoverageGroup.OPCODE_RECEIVED, received.byName());
    hitsByGroup.put(CoverageGroup.NAK_SENT, naksSent);
    hitsByGroup.put(CoverageGroup.NAK_RECEIVED, naksReceived);
    hitsByGroup.put(CoverageGroup.STATUS, statuses.byName());
    hitsByGroup.put(CoverageGroup.EVENT, events.byName());
    hitsByGroup.put(CoverageGroup.CHECK, requestStatuses.byName());
    hitsByGroup.put(CoverageGroup.MEMORY_CHECK, faults.byName());
    hitsByGroup.put(CoverageGroup.DROP, drops.byName());
    CoverageExclusions exclusions = new CoverageExclusions(profile);
    Coverage coverage =
        exclusions
            .statesAndTransitions()
            .withHits(CoverageGroup.STATE, states())
            .withHits(CoverageGroup.TRANSITION, transitions());
    for (Map.Entry<CoverageGroup, Map<String, Long>> groupHits : hitsByGroup.entrySet()) {
      Map<String, String> never = exclusions.of(groupHits.getKey(), groupHits.getValue().keySet());
      coverage = coverage.with(groupHits.getKey(), groupHits.getValue(), never);
    }
    return coverage;
  }

  private Map<String, Long> states() {
    Map<String, Long> states = new LinkedHashMap<>();
    for (QpType type : TYPES) {
      for (QpState state : STATES) {
        long times = state == QpState.RESET ? created.of(type) : 0;
        for (QpState from : STATES) {
          times += transitions(type, from, state);
        }
        if (times > 0) {
          states.put(nameOf(type, state), times);
        }
      }
    }
    return states;
  }

  private long transitions(QpType type, QpState from, QpState to) {
    long[] ofType = transitions[type.ordinal()];
    return ofType == null ? 0 : ofType[from.ordinal() * STATES.length + to.ordinal()];
  }

  private Map<String, Long> transitions() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (QpType type : TYPES) {
      for (QpState from : STATES) {
        for (QpState to : STATES) {
          long times = transitions(type, from, to);
          if (times > 0) {
            all.put(nameOf(type, from, to), times);
          }
        }
      }
    }
    return all;
  }

  static String nameOf(QpType type, QpState state) {
    return STATE_NAMES[type.ordinal()][state.ordinal()];
  }

  static String nameOf(QpType type, QpState from, QpState to) {
    return TRANSITION_NAMES[type.ordinal()][from.ordinal()][to.ordinal()];
  }

  private static String[][] stateNames() {
    String[][] names = new String[TYPES.length][STATES.length];
    for (QpType type : TYPES) {
      for (QpState state : STATES) {
        names[type.ordinal()][state.ordinal()] = type + " " + state;
      }
    }
    return names;
  }

  private static String[][][] transitionNames() {
    String[][][] names = new String[TYPES.length][STATES.length][STATES.length];
    for (QpType type : TYPES) {
      for (QpState from : STATES) {
        for (QpState to : STATES) {
          names[type.ordinal()][from.ordinal()][to.ordinal()] = type + " " + from + " -> " + to;
        }
      }
    }
    return names;
  }
}
