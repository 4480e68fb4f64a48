package io.queuepair.tools.fuzz;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tools.workload.Violation;
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
import java.util.function.UnaryOperator;

/** Two devices of their own, one under fire, for a number of datagrams that follow from a seed. */
final class Episode {
  private static final int VOLLEYS_PER_CHECK = 16;
  private static final int MAX_EVENTS = 100_000;
  private static final long VOLLEY_NANOS = 1_000;

  /** Volleys in which the neighbours get a round done, which takes 20 us at most. */
  private static final int ROUND_VOLLEYS = 64;

  /** Datagrams that a finding shows at most. */
  private static final int SHOWN = 8;

  private static final int PSN_SEQUENCE_NAK = 0x60;

  /** Eight times {@link Estate#SECRET}. */
  private static final long SECRET_WORD = 0xc7c7_c7c7_c7c7_c7c7L;

  private final long seed;
  private final Tap tap;
  private final Emulator emulator;
  private final Target target;
  private final Neighbours neighbours;
  private final Attacker attacker;
  private final Addresses addresses = new Addresses();

  /** Whether the whole memory is looked at all the time. */
  private final boolean isCareful;

  private final Deque<Shot> lastShots = new ArrayDeque<>();
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
  Episode(long seed, Registrar registrar, boolean isCareful, UnaryOperator<Fabric> around) {
    this.seed = seed;
    this.isCareful = isCareful;
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withWireExact(true).withPollRunsEvents(false);
    tap = new Tap(around.apply(InMemoryFabric.create(options)), addresses.phantom());
    emulator = Emulator.on(tap);
    Random random = new Random(seed);
    Device underFire =
        emulator.addDevice(
            DeviceProfile.standard(),
            List.of(Addresses.TARGET, Addresses.TARGET_TOO),
            List.of(Addresses.TARGET_PORT_2));
    target = new Target(underFire, Gid.of(addresses.phantom()), random, registrar);
    Device other = emulator.addDevice(Addresses.NEIGHBOUR);
    neighbours = new Neighbours(target.context(), other.open());
    attacker = new Attacker(new Chance(random), target, addresses);
    tap.outputTo(this::seen);
  }

  /** Fires so many datagrams; null, or what went wrong. */
  Finding run(long datagrams) {
    try {
      while (fired < datagrams) {
        step(datagrams - fired);
      }
      target.estate().verify();
      finishRound();
      return null;
    } catch (Violation violation) {
      return finding(violation.getMessage());
    } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
      StackTraceElement[] stack = thrown.getStackTrace();
      return finding("thrown: " + thrown + (stack.length > 0 ? " at " + stack[0] : ""));
    }
  }

  private Finding finding(String what) {
    List<String> shown = lastShots.stream().map(Shot::hex).toList();
    return new Finding(seed, fired - 1, what, shown);
  }

  private void step(long left) {
    if (volleys % ROUND_VOLLEYS == 0) {
      finishRound();
      neighbours.start();
    }
    volleys++;
    Volley volley = attacker.next();
    List<Shot> shots = volley.shots();
    fire(
        new Volley(
            shots.subList(0, (int) Math.min(left, shots.size())),
            volley.isTogether(),
            volley.trouble()));
    pass(VOLLEY_NANOS);
    target.poll();
    if (volleys % VOLLEYS_PER_CHECK == 0) {
      target.estate().verify();
    }
  }

  private void finishRound() {
    if (volleys > 0) {
      pass(20 * VOLLEY_NANOS);
      neighbours.finish();
    }
  }

  private void fire(Volley volley) {
    switch (volley.trouble()) {
      case NONE -> shoot(volley);
      case PORT_DOWN -> {
        Emulator.setPortUp(target.device(), 1, false);
        shoot(volley);
        Emulator.setPortUp(target.device(), 1, true);
      }
      case ADDRESS_GONE -> {
        Emulator.removeAddress(target.device(), 1, Addresses.TARGET_TOO);
        shoot(volley);
        Emulator.addAddress(target.device(), 1, Addresses.TARGET_TOO);
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

  private void shoot(Volley volley) {
    if (volley.isTogether()) {
      volley.shots().forEach(this::note);
      tap.fire(addresses.target(), volley.shots().stream().map(Shot::traffic).toList());
      if (isCareful) {
        target.estate().verify();
      }
      return;
    }
    isRefused = false;
    for (Shot shot : volley.shots()) {
      if (isRefused) {
        return; // The rest would only be dropped.
      }
      note(shot);
      tap.fire(addresses.target(), List.<Traffic>of(shot.traffic()));
      if (isCareful) {
        target.estate().verify();
      }
    }
  }

  private void note(Shot shot) {
    fired++;
    near += shot.isNear() ? 1 : 0;
    frames += shot.traffic() instanceof Frame ? 1 : 0;
    if (lastShots.size() == SHOWN) {
      lastShots.removeFirst();
    }
    lastShots.addLast(shot);
  }

  private void pass(long nanos) {
    Scheduler scheduler = tap.scheduler();
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

  /** The device under fire sent something to the phantom. */
  private void seen(ByteBuffer bytes) {
    String opcode = Draft.layoutOf(bytes).name();
    int at = bytes.position() + Draft.layoutOf(bytes).headerBytes();
    if (opcode.contains("_RDMA_READ_RESPONSE_")) {
      Estate.verifyHarmless(bytes, at, bytes.limit() - Draft.ICRC_BYTES - at);
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

  Coverage coverage() {
    return Emulator.coverage(target.device());
  }

  void close() {
    emulator.close();
  }
}
