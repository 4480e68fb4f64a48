package io.queuepair.tests.conformance;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Two devices, each with one reliable queue pair, connected to each other; in virtual time, which
 * moves only in {@link #drain} and {@link #run}.
 */
final class Pair implements AutoCloseable {
  /** First PSN of a, and of b. */
  static final int PSN_A = 100;

  static final int PSN_B = 200;

  private static final int MAX_EVENTS = 5_000_000;

  private final Fabric fabric;
  private final Emulator emulator;
  private final Endpoint a;
  private final Endpoint b;

  private Pair(Builder builder) {
    fabric = builder.fabric;
    emulator = Emulator.on(fabric);
    a = new Endpoint(emulator.addDevice(builder.profile, "10.0.0.1"), builder.shape(PSN_A));
    b = new Endpoint(emulator.addDevice(builder.profile, "10.0.0.2"), builder.shape(PSN_B));
  }

  static Builder on(LinkForm form) {
    return new Builder(form.fabric());
  }

  static Builder on(Fabric fabric) {
    return new Builder(fabric);
  }

  /** With all defaults. */
  static Pair connected(LinkForm form) {
    return on(form).connect();
  }

  Endpoint a() {
    return a;
  }

  Endpoint b() {
    return b;
  }

  /** Brings both from RESET to RTS. */
  void connect() {
    a.toInit();
    b.toInit();
    a.toReadyToReceive(b);
    b.toReadyToReceive(a);
    a.toReadyToSend();
    b.toReadyToSend();
  }

  /** Lets the network run until nothing is left to happen. */
  void drain() {
    for (int event = 0; event < MAX_EVENTS; event++) {
      if (!fabric.scheduler().runNext()) {
        return;
      }
    }
    throw new AssertionError("the network does not come to rest");
  }

  /** Lets the network run for some time. */
  void run(Duration time) {
    boolean[] isOver = new boolean[1];
    Scheduler.Timer timer = fabric.scheduler().timer(() -> isOver[0] = true);
    timer.arm(fabric.scheduler().nowNanos() + time.toNanos());
    while (!isOver[0]) {
      fabric.scheduler().runNext();
    }
  }

  long nowNanos() {
    return fabric.scheduler().nowNanos();
  }

  @Override
  public void close() {
    emulator.close();
  }

  /** What both sides are like. */
  static final class Builder {
    private final Fabric fabric;
    private DeviceProfile profile = DeviceProfile.standard();
    private QpCap cap = new QpCap(64, 64, 4, 4, 128);
    private int cqe = 256;
    private boolean sqSigAll;
    private boolean sharesCq;
    private Set<AccessFlag> access = EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private UnaryOperator<QpAttr> rtr = attr -> attr;
    private UnaryOperator<QpAttr> rts = attr -> attr;

    private Builder(Fabric fabric) {
      this.fabric = fabric;
    }

    Builder mtu(Mtu mtu) {
      return rtr(attr -> attr.pathMtu(mtu));
    }

    Builder profile(DeviceProfile newProfile) {
      profile = newProfile;
      return this;
    }

    Builder cap(QpCap newCap) {
      cap = newCap;
      return this;
    }

    Builder cqe(int entries) {
      cqe = entries;
      return this;
    }

    Builder sqSigAll() {
      sqSigAll = true;
      return this;
    }

    /** One completion queue for sends and receives of a side. */
    Builder sharedCq() {
      sharesCq = true;
      return this;
    }

    Builder access(Set<AccessFlag> rights) {
      access = rights;
      return this;
    }

    /** Changes what is set on the way to RTR. */
    Builder rtr(UnaryOperator<QpAttr> change) {
      UnaryOperator<QpAttr> before = rtr;
      rtr = attr -> change.apply(before.apply(attr));
      return this;
    }

    /** Changes what is set on the way to RTS. */
    Builder rts(UnaryOperator<QpAttr> change) {
      UnaryOperator<QpAttr> before = rts;
      rts = attr -> change.apply(before.apply(attr));
      return this;
    }

    private Endpoint.Shape shape(int firstPsn) {
      Endpoint.Changes changes = new Endpoint.Changes(rtr, rts);
      return new Endpoint.Shape(
          cap, cqe, sqSigAll, sharesCq, access, new Endpoint.Path(firstPsn, changes));
    }

    /** Both in RESET. */
    Pair create() {
      return new Pair(this);
    }

    /** Both in RTS. */
    Pair connect() {
      Pair pair = create();
      pair.connect();
      return pair;
    }
  }
}
