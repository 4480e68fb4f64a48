package io.queuepair.emulator.engine;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageAspect;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what a device comes across, for whoever wants to know what a run has covered. */
public final class Visits {
  private static final String RNR_NAK = "RNR_NAK";
  private static final String RESERVED = "RESERVED";
  private static final QpType[] TYPES = QpType.values();
  private static final QpState[] STATES = QpState.values();

  /** By type and state. Each device says all of them, so they are put together once. */
  private static final String[][] STATE_NAMES = stateNames();

  /** By type, state that was left, state that was entered. */
  private static final String[][][] TRANSITION_NAMES = transitionNames();

  private final Tally<DropReason> drops = new Tally<>(DropReason.class);
  private final Tally<Opcode> sent = new Tally<>(Opcode.class);
  private final Tally<Opcode> received = new Tally<>(Opcode.class);
  private final Tally<WcStatus> statuses = new Tally<>(WcStatus.class);
  private final Tally<EventType> events = new Tally<>(EventType.class);
  private final Tally<Verdict> verdicts = new Tally<>(Verdict.class);
  private final Tally<MemoryFault> faults = new Tally<>(MemoryFault.class);
  private final Map<String, Long> naksSent = noNaks();
  private final Map<String, Long> naksReceived = noNaks();

  /** By type, state that was left, state that was entered. */
  private final long[][][] transitions = new long[TYPES.length][STATES.length][STATES.length];

  /** How many queue pairs were created: each is in RESET then, without a transition. */
  private final Tally<QpType> created = new Tally<>(QpType.class);

  /** Completions and events so far. */
  private long told;

  Visits() {}

  private static Map<String, Long> noNaks() {
    Map<String, Long> none = new LinkedHashMap<>();
    none.put(RNR_NAK, 0L);
    for (NakCode code : NakCode.values()) {
      none.put(code.name(), 0L);
    }
    none.put(RESERVED, 0L);
    return none;
  }

  Tally<DropReason> drops() {
    return drops;
  }

  void created(QpType type) {
    created.count(type);
  }

  void entered(QpType type, QpState from, QpState to) {
    transitions[type.ordinal()][from.ordinal()][to.ordinal()]++;
  }

  /** A packet left. */
  void sent(Packet packet) {
    sent.count(packet.opcode());
    countNak(packet, naksSent);
  }

  /** A queue pair took a packet. */
  void received(Packet packet) {
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

  /** A completion was written. */
  void completed(WcStatus status) {
    told++;
    statuses.count(status);
  }

  /** An application was told something. */
  public void raised(EventType event) {
    told++;
    events.count(event);
  }

  /**
   * A responder decided about a request.
   *
   * @param fault which rule of memory made the verdict, or null
   */
  void judged(Verdict verdict, MemoryFault fault) {
    verdicts.count(verdict);
    if (fault != null) {
      faults.count(fault);
    }
  }

  /** How often an application was told something: completions and events so far. */
  public long told() {
    return told;
  }

  /** How much was done: completions, events, requests taken. Refusals are not progress. */
  public long progress() {
    return told + verdicts.of(Verdict.ACCEPT);
  }

  /**
   * Everything so far, and what can never be.
   *
   * @param profile of the device
   */
  public Coverage toCoverage(DeviceProfile profile) {
    Map<CoverageAspect, Map<String, Long>> hits = new EnumMap<>(CoverageAspect.class);
    hits.put(CoverageAspect.STATE, states());
    hits.put(CoverageAspect.TRANSITION, transitions());
    hits.put(CoverageAspect.OPCODE_SENT, sent.byName());
    hits.put(CoverageAspect.OPCODE_RECEIVED, received.byName());
    hits.put(CoverageAspect.NAK_SENT, naksSent);
    hits.put(CoverageAspect.NAK_RECEIVED, naksReceived);
    hits.put(CoverageAspect.STATUS, statuses.byName());
    hits.put(CoverageAspect.EVENT, events.byName());
    hits.put(CoverageAspect.CHECK, verdicts.byName());
    hits.put(CoverageAspect.MEMORY_CHECK, faults.byName());
    hits.put(CoverageAspect.DROP, drops.byName());
    Unreachable unreachable = new Unreachable(profile);
    Coverage coverage = new Coverage();
    for (CoverageAspect aspect : CoverageAspect.values()) {
      Map<String, Long> ofAspect = hits.get(aspect);
      coverage = coverage.with(aspect, ofAspect, unreachable.of(aspect, ofAspect.keySet()));
    }
    return coverage;
  }

  private Map<String, Long> states() {
    Map<String, Long> states = new LinkedHashMap<>();
    for (QpType type : TYPES) {
      for (QpState state : STATES) {
        long times = state == QpState.RESET ? created.of(type) : 0;
        for (long[] from : transitions[type.ordinal()]) {
          times += from[state.ordinal()];
        }
        states.put(nameOf(type, state), times);
      }
    }
    return states;
  }

  private Map<String, Long> transitions() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (QpType type : TYPES) {
      for (QpState from : STATES) {
        for (QpState to : STATES) {
          long times = transitions[type.ordinal()][from.ordinal()][to.ordinal()];
          all.put(nameOf(type, from, to), times);
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
