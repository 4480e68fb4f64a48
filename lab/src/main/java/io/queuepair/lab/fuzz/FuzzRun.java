// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Two devices of their own, one under fire, for a number of datagrams that follow from a seed. */
final class FuzzRun {
  private static final int VOLLEYS_PER_CHECK = 16;
  private static final int MAX_EVENTS = 100_000;
  private static final long VOLLEY_NANOS = 1_000;

  /** Volleys in which the neighbours get a round done, which takes 20 us at most. */
  private static final int ROUND_VOLLEYS = 64;

  /** Datagrams that a finding shows at most. */
  private static final int SHOWN = 8;

  /**
   * Longer than all retries, and the time-wait after them, that the fields of a REQ can ask for.
   */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.DAYS.toNanos(3);

  private static final int PSN_SEQUENCE_NAK = 0x60;

  /** Eight times {@link GuardedMemory#SECRET}. */
  private static final long SECRET_WORD = 0xc7c7_c7c7_c7c7_c7c7L;

  private final long seed;
  private final FuzzFabric fuzzFabric;
  private final Emulator emulator;
  private final DeviceUnderTest target;
  private final ControlConnections neighbours;
  private final InputGenerator generator;
  private final FuzzAddresses addresses = new FuzzAddresses();
  private final ManagedConnection managed;
  private final CmProgram program;

  /** Whether the whole memory is looked at all the time. */
  private final boolean isCareful;

  private final Deque<Input> lastShots = new ArrayDeque<>();
  private final TraceHash trace = new TraceHash();
  private long fired;
  private long near;
  private long frames;
  private int volleys;

  /** Whether a queue pair has just refused a request for good. */
  private boolean isRefused;

  /**
   * Builds the devices.
   *
   * @param isCareful whether the whole memory is looked at all the time, instead of now and then
   * @param around decorates the network
   */
  FuzzRun(long seed, RegionFactory regionFactory, boolean isCareful, UnaryOperator<Fabric> around) {
    this.seed = seed;
    this.isCareful = isCareful;
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withWireExact(true).withPollRunsEvents(false);
    fuzzFabric =
        new FuzzFabric(around.apply(InMemoryFabric.create(options)), addresses.simulatedPeer());
    emulator = Emulator.on(fuzzFabric);
    Random random = new Random(seed);
    Device underFire =
        emulator.addDevice(
            DeviceProfile.standard(),
            List.of(FuzzAddresses.TARGET, FuzzAddresses.TARGET_TOO),
            List.of(FuzzAddresses.TARGET_PORT_2));
    target =
        new DeviceUnderTest(underFire, Gid.of(addresses.simulatedPeer()), random, regionFactory);
    Device other = emulator.addDevice(FuzzAddresses.NEIGHBOUR);
    neighbours = new ControlConnections(target.context(), other.open());
    FuzzRandom fuzzRandom = new FuzzRandom(random);
    generator = new InputGenerator(fuzzRandom, target, addresses);
    fuzzFabric.outputTo(this::seen);
    fuzzFabric.othersTo(this::overhear);
    RdmaCm cm = emulator.rdmaCm(EmulatedDevice.of(underFire));
    RdmaCm othersCm = emulator.rdmaCm(EmulatedDevice.of(other));
    managed = new ManagedConnection(cm, addresses.target(), othersCm, this::pass);
    program = new CmProgram(cm, addresses.target(), fuzzRandom);
  }

  /** Fires so many datagrams; null, or what went wrong. */
  Finding run(long datagrams) {
    try {
      while (fired < datagrams) {
        step(datagrams - fired);
      }
      target.guardedMemory().verify();
      finishRound();
      finishManagement();
      return null;
    } catch (Violation violation) {
      return finding(violation.getMessage());
    } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
      StackTraceElement[] stack = thrown.getStackTrace();
      return finding("thrown: " + thrown + (stack.length > 0 ? " at " + stack[0] : ""));
    }
  }

  private Finding finding(String what) {
    List<String> shown = lastShots.stream().map(Input::hex).toList();
    return new Finding(seed, fired - 1, what, shown);
  }

  private void step(long left) {
    if (volleys % ROUND_VOLLEYS == 0) {
      finishRound();
      neighbours.start();
    }
    volleys++;
    InputSequence volley = generator.next();
    List<Input> shots = volley.shots();
    fire(
        new InputSequence(
            shots.subList(0, (int) Math.min(left, shots.size())),
            volley.isTogether(),
            volley.trouble()));
    pass(VOLLEY_NANOS);
    target.poll();
    program.serve();
    if (volleys % VOLLEYS_PER_CHECK == 0) {
      target.guardedMemory().verify();
    }
  }

  private void finishRound() {
    if (volleys > 0) {
      pass(20 * VOLLEY_NANOS);
      neighbours.finish();
      managed.verify();
    }
  }

  private void finishManagement() {
    managed.finish();
    program.finish();
    pass(LONGEST_WAIT_NANOS);
    program.verifyGone();
  }

  private void fire(InputSequence volley) {
    switch (volley.trouble()) {
      case NONE -> shoot(volley);
      case PORT_DOWN -> {
        EmulatedDevice.of(target.device()).setPortUp(1, false);
        shoot(volley);
        EmulatedDevice.of(target.device()).setPortUp(1, true);
      }
      case ADDRESS_GONE -> {
        EmulatedDevice.of(target.device()).removeAddress(1, FuzzAddresses.TARGET_TOO);
        shoot(volley);
        EmulatedDevice.of(target.device()).addAddress(1, FuzzAddresses.TARGET_TOO);
      }
      case SNIFFED -> {
        Flow flow = sniff();
        shoot(volley);
        flow.close();
      }
    }
  }

  private Flow sniff() {
    return target.roles().sniffer().qp().createFlow(FlowAttr.of(FlowAttrType.SNIFFER));
  }

  private void shoot(InputSequence volley) {
    if (volley.isTogether()) {
      volley.shots().forEach(this::note);
      fuzzFabric.fire(addresses.target(), volley.shots().stream().map(Input::traffic).toList());
      if (isCareful) {
        target.guardedMemory().verify();
      }
      return;
    }
    isRefused = false;
    for (Input shot : volley.shots()) {
      if (isRefused) {
        return; // The rest would only be dropped.
      }
      note(shot);
      fuzzFabric.fire(addresses.target(), List.<Traffic>of(shot.traffic()));
      if (isCareful) {
        target.guardedMemory().verify();
      }
    }
  }

  private void note(Input shot) {
    fired++;
    trace.packet(fuzzFabric.scheduler().nowNanos(), shot.bytes());
    near += shot.isNear() ? 1 : 0;
    frames += shot.traffic() instanceof Frame ? 1 : 0;
    if (lastShots.size() == SHOWN) {
      lastShots.removeFirst();
    }
    lastShots.addLast(shot);
  }

  private void pass(long nanos) {
    Scheduler scheduler = fuzzFabric.scheduler();
    long endNanos = scheduler.nowNanos() + nanos;
    Scheduler.Timer alarm = scheduler.timer(() -> {});
    alarm.arm(endNanos);
    int events = 0;
    while (scheduler.nowNanos() - endNanos < 0) {
      scheduler.runNext();
      events++;
      Violation.unless(events < MAX_EVENTS, "the network does not come to rest");
    }
  }

  /** Any device sent something to another. */
  private void overhear(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    if (burst.source().equals(addresses.target())
        && DatagramBuilder.qpnOf(bytes) == InputGenerator.GSI_QPN) {
      generator.overheardManagement(payloadOf(bytes));
    }
  }

  private static ByteBuffer payloadOf(ByteBuffer bytes) {
    int at = bytes.position() + DatagramBuilder.layoutOf(bytes).headerBytes();
    return bytes.slice(at, bytes.limit() - DatagramBuilder.ICRC_BYTES - at);
  }

  /** The device under fire sent something to the phantom. */
  private void seen(ByteBuffer bytes) {
    trace.packet(fuzzFabric.scheduler().nowNanos(), bytes);
    String opcode = DatagramBuilder.layoutOf(bytes).name();
    int at = bytes.position() + DatagramBuilder.layoutOf(bytes).headerBytes();
    if (DatagramBuilder.qpnOf(bytes) == InputGenerator.GSI_QPN) {
      generator.heardManagement(payloadOf(bytes));
      return;
    }
    if (opcode.contains("_RDMA_READ_RESPONSE_")) {
      GuardedMemory.verifyHarmless(bytes, at, bytes.limit() - DatagramBuilder.ICRC_BYTES - at);
    } else if (opcode.endsWith("_ATOMIC_ACKNOWLEDGE")) {
      boolean isSecret = bytes.getLong(at - Long.BYTES) == SECRET_WORD;
      Violation.unless(!isSecret, "an atomic found memory that it may not use");
    } else if (opcode.endsWith("_ACKNOWLEDGE")) {
      isRefused |= Byte.toUnsignedInt(bytes.get(at - Integer.BYTES)) > PSN_SEQUENCE_NAK;
    } else {
      target.roles().asked(bytes, opcode);
    }
  }

  /** Numbers of datagrams and of frames among them; of those with everything near to right. */
  long fired() {
    return fired;
  }

  long near() {
    return near;
  }

  long frames() {
    return frames;
  }

  /** Hash of all datagrams, fired and answered. */
  long trace() {
    return trace.value();
  }

  Coverage coverage() {
    return EmulatedDevice.of(target.device()).coverage();
  }

  CmProgram program() {
    return program;
  }

  void close() {
    emulator.close();
  }
}
