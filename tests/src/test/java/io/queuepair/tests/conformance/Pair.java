// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Two devices, each with one queue pair, RC unless set otherwise, connected to each other. In
 * virtual time, which moves only in {@link #drain}, {@link #run} and {@link #await}, unless it is
 * made on another network.
 */
public final class Pair implements AutoCloseable {
  /** First PSN of a, and of b. */
  static final int PSN_A = 100;

  static final int PSN_B = 200;

  private final Fabric fabric;
  private final Emulator emulator;
  private final TestEndpoint a;
  private final TestEndpoint b;

  private Pair(Builder builder) {
    SystemDevice.skipUnless(builder.form, builder.profile);
    boolean isEmulated = !SystemDevice.isNamed();
    fabric = builder.fabric;
    emulator = isEmulated ? Emulator.on(fabric) : null;
    a = new TestEndpoint(device(builder, builder.hostA), builder.typeA, builder, PSN_A);
    b = new TestEndpoint(device(builder, builder.hostB), builder.typeB, builder, PSN_B);
  }

  private Device device(Builder builder, String host) {
    return emulator == null ? SystemDevice.device() : emulator.addDevice(builder.profile, host);
  }

  public static Builder on(LinkForm form) {
    return new Builder(form.fabric(), form);
  }

  public static Builder on(Fabric fabric) {
    return new Builder(fabric, null);
  }

  /** With all defaults. */
  public static Pair connected(LinkForm form) {
    return on(form).connect();
  }

  public TestEndpoint a() {
    return a;
  }

  public TestEndpoint b() {
    return b;
  }

  /** Brings both from RESET to RTS. */
  public void connect() {
    a.toInit();
    b.toInit();
    a.toReadyToReceive(b);
    b.toReadyToReceive(a);
    a.toReadyToSend();
    b.toReadyToSend();
  }

  /** Posts requests at a, for b, and lets happen what follows. */
  public void send(SendWr... requests) {
    a.qp().postSend(Stream.of(requests).map(a::toPeer).toList());
    drain();
  }

  /** Lets the network run until nothing is left to happen. */
  public void drain() {
    if (emulator == null) {
      SystemDevice.settle();
      return;
    }
    new VirtualTime(fabric.scheduler()).drain();
  }

  /** Lets the network run for some time. */
  public void run(Duration time) {
    if (emulator == null) {
      SystemDevice.pass(time);
      return;
    }
    new VirtualTime(fabric.scheduler()).run(time);
  }

  /** Whether packets move only while someone waits for them. */
  public boolean isVirtual() {
    return emulator != null && fabric.scheduler().progressMode() == Scheduler.ProgressMode.VIRTUAL;
  }

  /** Waits for the next completion. */
  public WorkCompletion await(CompletionQueue cq) {
    return emulator == null ? SystemDevice.await(cq) : emulator.await(cq);
  }

  /** Waits for so long at most; on an emulator only. */
  Optional<WorkCompletion> await(CompletionQueue cq, Duration timeout) {
    return emulator.await(cq, timeout);
  }

  public long nowNanos() {
    return fabric.scheduler().nowNanos();
  }

  @Override
  public void close() {
    if (emulator == null) {
      a.context().close();
      b.context().close();
    } else {
      emulator.close();
    }
  }

  /** Builds a pair with other attributes. */
  public static final class Builder {
    private final Fabric fabric;

    /** Null if the network is of the test's own making. */
    private final LinkForm form;

    private String hostA = "10.0.0.1";
    private String hostB = "10.0.0.2";
    private DeviceProfile profile = DeviceProfile.standard();
    private QpType typeA = QpType.RC;
    private QpType typeB = QpType.RC;
    QpCap cap = new QpCap(64, 64, 4, 4, 128);
    int cqe = 256;
    boolean sqSigAll;
    boolean sharesCq;

    /** Null if each queue pair has its own receives. */
    SrqAttr srq;

    Set<SendOpsFlag> sendOps = EnumSet.noneOf(SendOpsFlag.class);
    Set<AccessFlag> access = EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    UnaryOperator<QpAttr> rtr = attr -> attr;
    UnaryOperator<QpAttr> rts = attr -> attr;

    private Builder(Fabric fabric, LinkForm form) {
      this.fabric = fabric;
      this.form = form;
    }

    /** Gives both other addresses, such as a real network has. */
    public Builder hosts(String newHostA, String newHostB) {
      hostA = newHostA;
      hostB = newHostB;
      return this;
    }

    public Builder type(QpType type) {
      return types(type, type);
    }

    /** For an extended reliable connection, whose initiator and target differ. */
    public Builder types(QpType newTypeA, QpType newTypeB) {
      typeA = newTypeA;
      typeB = newTypeB;
      return this;
    }

    /** Lets each side take its receives from a shared queue. */
    public Builder srq(SrqAttr attr) {
      srq = attr;
      return this;
    }

    public Builder mtu(Mtu mtu) {
      return rtr(attr -> attr.pathMtu(mtu));
    }

    public Builder profile(DeviceProfile newProfile) {
      profile = newProfile;
      return this;
    }

    public Builder cap(QpCap newCap) {
      cap = newCap;
      return this;
    }

    public Builder cqe(int entries) {
      cqe = entries;
      return this;
    }

    public Builder sqSigAll() {
      sqSigAll = true;
      return this;
    }

    /** One completion queue for sends and receives of a side. */
    public Builder sharedCq() {
      sharesCq = true;
      return this;
    }

    /** With extended posting of these operations. */
    public Builder sendOps(Set<SendOpsFlag> operations) {
      sendOps = operations;
      return this;
    }

    public Builder access(Set<AccessFlag> rights) {
      access = rights;
      return this;
    }

    /** Changes what is set on the way to RTR. */
    public Builder rtr(UnaryOperator<QpAttr> change) {
      UnaryOperator<QpAttr> before = rtr;
      rtr = attr -> change.apply(before.apply(attr));
      return this;
    }

    /** Changes what is set on the way to RTS. */
    public Builder rts(UnaryOperator<QpAttr> change) {
      UnaryOperator<QpAttr> before = rts;
      rts = attr -> change.apply(before.apply(attr));
      return this;
    }

    /** Both in RESET. */
    public Pair create() {
      return new Pair(this);
    }

    /** Both in RTS. */
    public Pair connect() {
      Pair pair = create();
      pair.connect();
      return pair;
    }
  }
}
