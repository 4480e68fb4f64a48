package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.profile.Coverage;
import io.queuepair.emulator.profile.CoverageAspect;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what a device comes across, for whoever wants to know what a run has covered. */
public final class Visits {
  private static final String RNR_NAK = "RNR_NAK";
  private static final String RESERVED = "RESERVED";
  private static final QpType[] TYPES = QpType.values();
  private static final QpState[] STATES = QpState.values();

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
    statuses.count(status);
  }

  /** An application was told something. */
  public void raised(EventType event) {
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

  /** Everything so far. */
  public Coverage toCoverage() {
    return new Coverage()
        .with(CoverageAspect.STATE, states())
        .with(CoverageAspect.TRANSITION, transitions())
        .with(CoverageAspect.OPCODE_SENT, sent.byName())
        .with(CoverageAspect.OPCODE_RECEIVED, received.byName())
        .with(CoverageAspect.NAK_SENT, naksSent)
        .with(CoverageAspect.NAK_RECEIVED, naksReceived)
        .with(CoverageAspect.STATUS, statuses.byName())
        .with(CoverageAspect.EVENT, events.byName())
        .with(CoverageAspect.CHECK, verdicts.byName())
        .with(CoverageAspect.MEMORY_CHECK, faults.byName())
        .with(CoverageAspect.DROP, drops.byName());
  }

  private Map<String, Long> states() {
    Map<String, Long> states = new LinkedHashMap<>();
    for (QpType type : TYPES) {
      for (QpState state : STATES) {
        long times = state == QpState.RESET ? created.of(type) : 0;
        for (long[] from : transitions[type.ordinal()]) {
          times += from[state.ordinal()];
        }
        states.put(type + " " + state, times);
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
          all.put(type + " " + from + " -> " + to, times);
        }
      }
    }
    return all;
  }
}
