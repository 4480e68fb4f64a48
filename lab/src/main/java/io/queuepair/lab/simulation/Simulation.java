// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Runs a {@link WorkTestCase} in virtual time and checks invariants after every step. */
final class Simulation {
  /** IPv6 address: with IPv4 the ICRC covers header fields that a receiver does not see. */
  static final String LEFT = "fd00::1";

  static final String RIGHT = "fd00::2";

  private static final String STRANGER = "fd00::3";

  /** Limit of events until the network is idle, for messages of usual length. */
  private static final int MAX_EVENTS = 1_000_000;

  private final WorkTestCase testCase;

  /** Limit of events, scaled for long messages, which take more packets. */
  private final long maxEvents;

  private final SimulationListener listener;
  private final FaultFabric network;
  private final InvariantFabric invariantFabric;
  private final TraceHash trace = new TraceHash();
  private final Emulator emulator;
  private final ForeignHost stranger;
  private final SimulatedHost left;
  private final SimulatedHost right;
  private final List<SimulatedConnection> connections = new ArrayList<>();
  private final List<SimulatedQp> sides = new ArrayList<>();
  private final Scheduler.Timer timer;
  private final boolean mayDie;
  private boolean hasRung;

  /** Whether the network has run since the last poll. */
  private boolean isBehind;

  private Simulation(
      WorkTestCase testCase,
      UnaryOperator<Fabric> fabricWrapper,
      UnaryOperator<Fabric> above,
      SimulationListener listener) {
    this.testCase = testCase;
    maxEvents = (long) MAX_EVENTS * testCase.longestArrivingBytes() / WorkSpec.MAX_BYTES;
    this.listener = listener;
    FaultPlan faults = testCase.faults();
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withWireExact(true).withPollRunsEvents(false);
    Fabric fabric = InMemoryFabric.create(options);
    network =
        listener == SimulationListener.NONE
            ? new FaultFabric(fabric, faults)
            : FaultFabric.recording(fabric, faults);
    invariantFabric = new InvariantFabric(fabricWrapper.apply(network), trace);
    emulator =
        Emulator.builder()
            .fabric(above.apply(invariantFabric))
            .faultWarnings(said -> {})
            .faults(faults.ofDevices())
            .build();
    mayDie = !faults.ofDevices().isEmpty();
    timer = invariantFabric.scheduler().timer(() -> hasRung = true);
    Random random = new Random(testCase.seed());
    DeviceProfile profile = DeviceProfile.standard().withPkeys(Membership.PKEYS);
    stranger = new ForeignHost(fabric, IpAddress.parse(STRANGER));
    Device a = emulator.addDevice(profile, LEFT);
    Device b = emulator.addDevice(profile, RIGHT);
    left = new SimulatedHost("a", a, testCase, random, listener, !mayDie);
    right = new SimulatedHost("b", b, testCase, random, listener, !mayDie);
    for (ConnectionConfig config : testCase.connections()) {
      SimulatedConnection connection =
          new SimulatedConnection(connections.size(), config, left, right);
      connections.add(connection);
      sides.addAll(connection.sides());
      connection.sides().forEach(invariantFabric::add);
    }
  }

  static SimulationOutcome run(
      WorkTestCase testCase, UnaryOperator<Fabric> fabricWrapper, Consumer<Emulator> look) {
    return new Simulation(
            testCase, fabricWrapper, UnaryOperator.identity(), SimulationListener.NONE)
        .outcome(look);
  }

  /** Runs a test case on faulty devices: packets are changed before they are checked. */
  static SimulationOutcome runOn(WorkTestCase testCase, UnaryOperator<Fabric> devices) {
    return new Simulation(testCase, UnaryOperator.identity(), devices, SimulationListener.NONE)
        .outcome(emulator -> {});
  }

  static Recording record(WorkTestCase testCase, UnaryOperator<Fabric> fabricWrapper) {
    ScenarioJournal journal = new ScenarioJournal();
    Simulation simulation =
        new Simulation(testCase, fabricWrapper, UnaryOperator.identity(), journal);
    Map<String, String> hosts = new LinkedHashMap<>();
    for (SimulatedHost host : List.of(simulation.left, simulation.right)) {
      hosts.put(host.gid().toAddress().getHostAddress(), host.name());
    }
    SimulationOutcome outcome = simulation.outcome(emulator -> {});
    FaultPlan applied = simulation.network.appliedPlan();
    return new Recording(outcome, applied, journal.statements(), hosts);
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

  private SimulationFailure failure() {
    int step = 0;
    try {
      for (SimulatedConnection connection : connections) {
        connection.connect(connection.sides().get(0).config.psn());
      }
      for (Action action : testCase.actions()) {
        execute(action);
        if (movesNetwork(action)) {
          verify();
        }
        step++;
      }
      return null;
    } catch (RuntimeException | AssertionError thrown) {
      return SimulationFailure.of(thrown, step, at(step));
    }
  }

  private String at(int step) {
    String action = step < testCase.actions().size() ? ", " + testCase.actions().get(step) : "";
    return "step " + step + action + ": ";
  }

  private SimulationOutcome outcome(SimulationFailure failure) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(SimulationOutcome.PACKETS, trace.packets());
    counts.put(SimulationOutcome.COMPLETIONS, trace.completions());
    for (SimulatedQp side : sides) {
      SendModel.SendCounts sends = side.sends.counts();
      counts.merge(SimulationOutcome.POSTED, sends.posted, Long::sum);
      counts.merge(SimulationOutcome.SUCCEEDED, sends.succeeded, Long::sum);
      counts.merge(SimulationOutcome.EXCUSED, sends.excused, Long::sum);
    }
    return new SimulationOutcome(
        testCase.seed(), failure, counts, network.applied(), trace.value());
  }

  /** Whether packets may arrive during an action: only they change memory. */
  private static boolean movesNetwork(Action action) {
    return !(action instanceof Action.Post) && !(action instanceof Action.PostReceives);
  }

  private void execute(Action action) {
    if (action instanceof Action.Suspend
        || action instanceof Action.Resume
        || action instanceof Action.Fail
        || action instanceof Action.Reconnect) {
      catchUp();
    }
    if (action instanceof Action.Post post) {
      sides.get(post.qp()).sends.post(post.work());
      poll();
    } else if (action instanceof Action.PostReceives post) {
      sides.get(post.qp()).receives.post(post.count(), post.pieces());
      poll();
    } else if (action instanceof Action.Run run) {
      run(run.nanos());
    } else if (action instanceof Action.RunUnpolled run) {
      runUnpolled(run.nanos());
    } else if (action instanceof Action.ForgeResponse forge) {
      SimulatedQp side = sides.get(forge.qp());
      if (side.isReliable() && !side.requester.isIdle()) {
        stranger.answer(side, forge.isNak());
      }
    } else if (action instanceof Action.Fail fail) {
      fail(fail.qp());
    } else if (action instanceof Action.Reconnect reconnect) {
      reconnect(reconnect);
    } else if (action instanceof Action.Suspend suspend) {
      SimulatedQp side = sides.get(suspend.qp());
      if (side.state() == QpState.RTS) {
        side.modify(QpState.SQD);
        poll();
        side.refresh();
      }
    } else if (action instanceof Action.Resume resume) {
      resume(sides.get(resume.qp()));
    } else {
      settle();
    }
  }

  /** Polls before a queue pair is modified, so that the models know all earlier completions. */
  private void catchUp() {
    if (isBehind) {
      isBehind = false;
      poll();
      sides.forEach(SimulatedQp::refresh);
    }
  }

  private void fail(int qp) {
    SimulatedQp side = sides.get(qp);
    connections.get(qp / 2).disturb();
    side.modify(QpState.ERR);
    poll();
    side.sends.conclude();
    Violation.unless(
        side.receives.isEmpty() || side.srq != null, "%s: receives are left in ERR", side);
  }

  private void reconnect(Action.Reconnect reconnect) {
    SimulatedConnection connection = connections.get(reconnect.connection());
    if (connection.isBroken() || !reconnect.onlyIfBroken()) {
      connection.reset();
      run(reconnect.quietNanos());
      connection.connect(reconnect.psn());
      poll();
    }
  }

  /** Waits until a suspended queue pair is drained, then moves it to RTS. */
  private void resume(SimulatedQp side) {
    for (long i = 0; i < maxEvents && side.state() == QpState.SQD && !side.isDrained(); i++) {
      postMissing();
      Violation.unless(step(), "%s does not drain", side);
    }
    if (side.state() == QpState.RTR) {
      side.toRts();
      poll();
    } else if (side.state() == QpState.SQD || side.state() == QpState.SQE) {
      if (side.state() == QpState.SQE) {
        side.sends.resume();
      }
      side.modify(QpState.RTS);
      poll();
    }
  }

  private void run(long nanos) {
    hasRung = false;
    timer.arm(invariantFabric.scheduler().nowNanos() + nanos);
    listener.waiting();
    while (!hasRung) {
      step();
    }
    listener.waited(nanos);
  }

  private void runUnpolled(long nanos) {
    isBehind = true;
    hasRung = false;
    timer.arm(invariantFabric.scheduler().nowNanos() + nanos);
    listener.waiting();
    while (!hasRung) {
      listener.event();
      invariantFabric.scheduler().runNext();
      invariantFabric.takeTouched();
      // All queue pairs: an ACK timeout moves one to ERR without a packet.
      sides.forEach(SimulatedQp::lookIfStopped);
    }
    listener.waited(nanos);
  }

  /** Resumes and reconnects queue pairs, and runs the network until all work has completed. */
  private void settle() {
    catchUp();
    for (SimulatedQp side : sides) {
      resume(side);
    }
    postMissing();
    for (long event = 0; step(); event++) {
      Violation.unless(event < maxEvents, "the network does not come to rest");
      postMissing();
    }
    for (SimulatedQp side : sides) {
      side.sends.conclude();
      side.sends.settle();
      side.peer().word.settle();
    }
  }

  private void postMissing() {
    for (SimulatedQp side : sides) {
      side.receives.postMissing();
    }
  }

  /** Runs one event of the network, and polls; returns whether there was an event. */
  private boolean step() {
    listener.event();
    boolean ran = invariantFabric.scheduler().runNext();
    poll();
    return ran;
  }

  private void poll() {
    boolean leftDied = left.takeEvents();
    boolean rightDied = right.takeEvents();
    boolean hasDied = leftDied || rightDied;
    if (hasDied) {
      connections.forEach(SimulatedConnection::disturb);
    }
    // Receives first: a send may complete only after its message was received.
    boolean leftReceived = left.pollReceives(trace);
    boolean rightReceived = right.pollReceives(trace);
    boolean leftCompleted = left.pollSends(trace) || leftReceived;
    boolean rightCompleted = right.pollSends(trace) || rightReceived;
    if (hasDied || leftCompleted || rightCompleted) {
      sides.forEach(SimulatedQp::refresh);
    } else {
      invariantFabric.takeTouched().forEach(number -> sides.get(number).refresh());
    }
  }

  private void verify() {
    left.verify();
    right.verify();
    sides.forEach(SimulatedQp::verify);
  }
}
