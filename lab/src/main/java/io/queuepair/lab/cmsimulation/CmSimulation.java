// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.SimulationOutcome;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Runs one {@link CmTestCase} in virtual time: a host connects to another, both send, and the
 * connections end, while the network and the hosts fail. Checks invariants after each event.
 */
final class CmSimulation {
  static final String ACTIVE = "fd00::1";
  static final String PASSIVE = "fd00::2";

  private static final int PORT = 7471;
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);
  private static final long MILLI = 1_000_000L;

  /** Time without events after which an id counts as stuck: longer than all retries with an MRA. */
  private static final long QUIET_NANOS = Duration.ofMinutes(5).toNanos();

  private static final int MOST_ROUNDS = 50_000;

  /** Time after which time-wait and unanswered requests have ended. */
  private static final Duration REST = Duration.ofMinutes(10);

  private final CmTestCase testCase;
  private final Random random;
  private final boolean hostsMayFail;
  private final TraceHash trace = new TraceHash();
  private final FaultFabric network;
  private final CmTraceFabric fabric;
  private final Emulator emulator;
  private final CmHost active;
  private final CmHost passive;
  private final List<CmHost> hosts;
  private final List<CmConnection> connections = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  private CmSimulation(CmTestCase testCase, UnaryOperator<Fabric> fabricWrapper) {
    this.testCase = testCase;
    random = new Random(testCase.seed());
    FaultPlan faults = testCase.faults();
    hostsMayFail = !faults.ofDevices().isEmpty();
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withWireExact(true).withPollRunsEvents(false);
    network = FaultFabric.recording(InMemoryFabric.create(options), faults);
    fabric = new CmTraceFabric(fabricWrapper.apply(network), trace);
    emulator =
        Emulator.builder()
            .fabric(fabric)
            .faultWarnings(said -> {})
            .faults(faults.ofDevices())
            .build();
    active = new CmHost(emulator, ACTIVE);
    passive = new CmHost(emulator, PASSIVE);
    hosts = List.of(active, passive);
  }

  static SimulationOutcome run(
      CmTestCase testCase, UnaryOperator<Fabric> fabricWrapper, Consumer<Emulator> look) {
    return new CmSimulation(testCase, fabricWrapper).outcome(look);
  }

  static Recording record(CmTestCase testCase, UnaryOperator<Fabric> fabricWrapper) {
    CmSimulation simulation = new CmSimulation(testCase, fabricWrapper);
    SimulationOutcome outcome = simulation.outcome(emulator -> {});
    FaultPlan applied = simulation.network.appliedPlan();
    return new Recording(outcome, applied, List.copyOf(simulation.lines), Map.of());
  }

  /** Runs the simulation; may be called once. */
  private SimulationOutcome outcome(Consumer<Emulator> look) {
    try {
      SimulationOutcome outcome = outcome(failure());
      look.accept(emulator);
      return outcome;
    } finally {
      emulator.close();
    }
  }

  private SimulationOutcome outcome(SimulationFailure failure) {
    long posted = 0;
    long received = 0;
    Map<CmResult, Long> results = new EnumMap<>(CmResult.class);
    for (CmConnection connection : connections) {
      results.merge(connection.result(), 1L, Long::sum);
      posted += connection.posted();
      received += connection.received();
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(SimulationOutcome.PACKETS, trace.packets());
    counts.put(SimulationOutcome.POSTED, posted);
    counts.put(SimulationOutcome.RECEIVED, received);
    results.forEach((result, times) -> counts.put(result.countName(), times));
    return new SimulationOutcome(
        testCase.seed(), failure, counts, network.applied(), trace.value());
  }

  private SimulationFailure failure() {
    try {
      run();
      return null;
    } catch (RuntimeException | AssertionError thrown) {
      return SimulationFailure.of(thrown, lines.size(), when());
    }
  }

  private String when() {
    return "at " + emulator.now().toMillis() + " ms: ";
  }

  private void run() {
    RdmaCmId tcp = passive.listen(RdmaPortSpace.TCP, PORT);
    RdmaCmId udp = passive.listen(RdmaPortSpace.UDP, PORT);
    for (CmConnectionPlan plan : testCase.connections()) {
      start(plan);
    }
    for (int round = 0; isBusy(); round++) {
      Violation.unless(round < MOST_ROUNDS, "the ids never end");
      long micros = random.nextInt(4) == 0 ? random.nextInt(1_000) : random.nextInt(400_000);
      emulator.run(Duration.ofNanos(1_000L * (micros + 1)));
      if (!hostsMayFail) {
        fabric.verify();
      }
      takeEvents();
      poll();
      hosts.forEach(host -> host.ends().forEach(this::act));
    }
    passive.attempt(tcp::close);
    passive.attempt(udp::close);
    emulator.run(REST);
    for (CmHost host : hosts) {
      Violation.unless(host.counts().isEmpty(), "left in the end: %s", host.counts());
    }
  }

  private boolean isBusy() {
    return hosts.stream().anyMatch(host -> !host.ends().isEmpty());
  }

  private void start(CmConnectionPlan plan) {
    CmConnection connection = new CmConnection(connections.size(), plan);
    connections.add(connection);
    RdmaPortSpace space = connection.isDatagram() ? RdmaPortSpace.UDP : RdmaPortSpace.TCP;
    RdmaCmId id = active.create(space);
    CmEnd end = connection.begin(active, id);
    active.open(end);
    active.attempt(() -> id.resolveAddr(null, passive.at(PORT), RESOLVE_TIMEOUT));
  }

  private void takeEvents() {
    for (CmHost host : hosts) {
      while (true) {
        RdmaCmEvent event = host.next().orElse(null);
        if (event == null) {
          break;
        }
        take(host, event);
      }
      if (host.isDead()) {
        host.ends().forEach(this::died);
      }
    }
  }

  private void died(CmEnd end) {
    connections.get(end.number).set(CmResult.DIED);
    end.host.close(end);
  }

  private void take(CmHost host, RdmaCmEvent event) {
    RdmaCmEventType type = event.event();
    trace.add(emulator.now().toNanos());
    trace.add(type.code());
    if (type == RdmaCmEventType.CONNECT_REQUEST) {
      request(host, event);
      return;
    }
    CmEnd end = host.endOf(event.id());
    event.close();
    if (end == null) {
      // The id was closed; DEVICE_REMOVAL is for the listening id.
      Violation.unless(type == RdmaCmEventType.DEVICE_REMOVAL, "%s of an id that is closed", type);
      return;
    }
    note(end, type + (event.status() == 0 ? "" : " status " + event.status()));
    end.heard(type, emulator.now().toNanos());
    react(end, event);
  }

  private void request(CmHost host, RdmaCmEvent event) {
    ByteBuffer data = event.ud() == null ? event.conn().privateData() : event.ud().privateData();
    int number = data.get(0);
    event.close();
    Violation.unless(
        number >= 0 && number < connections.size(), "a request with other private data");
    CmConnection connection = connections.get(number);
    CmEnd end = connection.request(host, event.id());
    note(end, "CONNECT_REQUEST");
    end.heard(RdmaCmEventType.CONNECT_REQUEST, emulator.now().toNanos());
    host.open(end);
    end.plan(inMillis(connection.plan.answerMillis()));
  }

  private long inMillis(int millis) {
    return emulator.now().toNanos() + millis * MILLI;
  }

  private void react(CmEnd end, RdmaCmEvent event) {
    CmConnection connection = connections.get(end.number);
    CmHost host = end.host;
    RdmaCmId id = end.id();
    switch (event.event()) {
      case ADDR_RESOLVED -> host.attempt(() -> id.resolveRoute(RESOLVE_TIMEOUT));
      case ROUTE_RESOLVED -> connect(end);
      case ESTABLISHED -> established(end, connection, event.ud());
      case DISCONNECTED -> {
        host.attempt(id::disconnect);
        if (random.nextBoolean()) {
          close(end);
        }
      }
      case REJECTED -> {
        connection.rejected(end, RejectReason.ofCode(event.status()).orElse(null));
        close(end);
      }
      case UNREACHABLE -> {
        if (end.isActive && event.status() == -Errno.ETIMEDOUT.code() && !hostsMayFail) {
          CmKind kind = end.isDatagram() ? CmKind.SIDR_REQ : CmKind.REQ;
          fabric
              .retransmissions()
              .verifyExhausted(host.address(), kind, fabric.commIdOf(end.number));
        }
        connection.set(CmResult.UNREACHABLE);
        close(end);
      }
      case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, TIMEWAIT_EXIT -> close(end);
      case DEVICE_REMOVAL -> died(end);
      default -> throw new IllegalStateException("unexpected " + event.explain());
    }
  }

  private void connect(CmEnd end) {
    byte[] number = {(byte) end.number};
    int depth = end.isDatagram() ? 0 : 1;
    RdmaConnParam param = RdmaConnParam.of(depth, depth).withPrivateData(number);
    boolean isAsked =
        end.host.attempt(
            () -> {
              end.prepare();
              end.id().connect(param);
            });
    Violation.unless(isAsked || end.host.isDead(), "rdma_connect is refused");
    if (end.plan.ending() == CmEnding.ACTIVE_GIVES_UP) {
      end.plan(inMillis(end.plan.endMillis()));
    }
  }

  private void established(CmEnd end, CmConnection connection, RdmaUdParam peer) {
    connection.established(end);
    end.host.attempt(() -> end.send(end.isDatagram() ? peer : null));
    CmEnding ending = end.plan.ending();
    boolean endsIt = end.isActive ? ending.isByActive() : ending.isByPassive();
    if (end.isDatagram() || (endsIt && ending != CmEnding.ACTIVE_GIVES_UP)) {
      end.plan(inMillis(end.plan.endMillis()));
    }
  }

  /** Polls receives before sends: received data shows that the peer is alive. */
  private void poll() {
    for (CmHost host : hosts) {
      for (CmEnd end : host.ends()) {
        host.attempt(() -> receive(end));
      }
    }
    for (CmHost host : hosts) {
      for (CmEnd end : host.ends()) {
        if (end.qpn() >= 0) {
          host.attempt(end::pollSends);
          if (!active.isDead() && !passive.isDead()) {
            connections.get(end.number).verify(end);
          }
        }
      }
    }
  }

  private void receive(CmEnd end) {
    if (end.qpn() < 0 || !end.pollReceives() || end.isActive || end.isDatagram()) {
      return;
    }
    if (!end.has(RdmaCmEventType.ESTABLISHED) && !end.hasEnded()) {
      note(end, "notify COMM_EST");
      end.host.attempt(() -> end.id().notify(EventType.COMM_EST));
    }
  }

  /** Performs the action that is due, or reacts to a long time without events. */
  private void act(CmEnd end) {
    long nowNanos = emulator.now().toNanos();
    if (end.takeDue(nowNanos)) {
      if (end.isActive || end.has(RdmaCmEventType.ESTABLISHED) || isAnswered(end)) {
        end(end);
      } else {
        answer(end);
      }
    } else if (end.hasBeenQuietFor(QUIET_NANOS, nowNanos)) {
      quiet(end);
    }
  }

  private boolean isAnswered(CmEnd end) {
    return connections.get(end.number).hasAccepted(end);
  }

  private void answer(CmEnd end) {
    CmConnection connection = connections.get(end.number);
    CmAnswer answer = end.plan.answer();
    note(end, "answer " + answer);
    connection.answered(end, answer);
    switch (answer) {
      case ACCEPT -> {
        int depth = end.isDatagram() ? 0 : 1;
        boolean isAccepted =
            end.host.attempt(
                () -> {
                  end.prepare();
                  end.id().accept(RdmaConnParam.of(depth, depth));
                });
        if (end.isDatagram()) {
          end.plan(inMillis(end.plan.endMillis()));
        } else if (!isAccepted) {
          close(end); // No event is reported for a connection that was not accepted.
        }
      }
      case REJECT -> {
        end.host.attempt(end.id()::reject);
        close(end);
      }
      case DESTROY -> close(end);
    }
  }

  private void end(CmEnd end) {
    if (end.isDatagram() || end.plan.ending().destroys()) {
      note(end, "destroy");
      connections.get(end.number).set(CmResult.GIVEN_UP);
      close(end);
    } else if (end.isEstablished()) {
      note(end, "disconnect");
      end.host.attempt(end.id()::disconnect);
    }
  }

  /** Disconnects a side that has received no event for long; the connection must then end. */
  private void quiet(CmEnd end) {
    Violation.unless(
        end.isEstablished() || end.hasEnded() || hostsMayFail,
        "an id never ends: its state is %s",
        end.id());
    boolean wasAsked = fabric.hasReceivedDreq(end.host.address(), end.qpn());
    Violation.unless(
        end.hasEnded() || !wasAsked || hostsMayFail, "a DREQ has arrived and is not reported");
    Violation.unless(
        !connections.get(end.number).isUnaware(end), "an id that disconnects never ends");
    Violation.unless(
        !end.has(RdmaCmEventType.DISCONNECTED)
            || end.has(RdmaCmEventType.TIMEWAIT_EXIT)
            || hostsMayFail,
        "the time-wait of an id never ends");
    note(end, "has heard nothing, disconnect");
    if (end.isEstablished()) {
      Violation.unless(
          !connections.get(end.number).isLeft(end)
              || fabric.retransmissions().hasNotified(end.host.address(), end.qpn())
              || hostsMayFail,
          "a side has left, and not said so as often as it may");
      connections.get(end.number).unaware(end);
      end.host.attempt(end.id()::disconnect);
      end.plan(inMillis(0));
    } else {
      close(end);
    }
  }

  private void close(CmEnd end) {
    end.host.attempt(() -> receive(end));
    end.host.close(end);
  }

  private void note(CmEnd end, String what) {
    lines.add(emulator.now().toNanos() / 1_000 + " us  " + end + "  " + what);
  }
}
