// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.VirtualTime;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WrBatch;
import io.queuepair.verbs.XrcDomain;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A queue pair of any type whose sends are posted in batches, and the one that it is connected to,
 * both in RTS on one device in virtual time. The target has eight receives.
 */
final class ExtendedQpFixture implements AutoCloseable {
  static final int MAX_SEND_WR = 8;
  static final int MAX_SEND_SGE = 2;
  static final int MAX_INLINE = 32;

  private static final int RECEIVES = 8;
  private static final int SLOT_BYTES = 128;
  private static final int PSN = 100;
  private static final int MANY = 256;
  private static final QpCap CAP = new QpCap(MAX_SEND_WR, RECEIVES, MAX_SEND_SGE, 1, MAX_INLINE);
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.MW_BIND);
  private static final Set<AccessFlag> FLUSH =
      EnumSet.of(AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT);

  private static final int MAX_TSO_HEADER = 64;

  private final InMemoryFabric fabric = LinkForm.OBJECTS.fabric();
  private final Emulator emulator = Emulator.on(fabric);
  final Context context;
  final ProtectionDomain pd;
  final CompletionQueue sent;
  final CompletionQueue received;

  /** 128 bytes that requests take their data from. */
  final MemoryRegion local;

  /** Where receives take it to, 128 bytes each, and what peers may access. */
  final MemoryRegion remote;

  private final XrcDomain xrcd;
  private final SharedReceiveQueue srq;
  final ExtendedQueuePair qp;
  final QueuePair target;
  final AddressHandle ah;

  /** Of type 2, not bound. */
  final MemoryWindow mw;

  private final Set<AccessFlag> rights;

  /** On the default device. */
  ExtendedQpFixture(QpType type, Set<SendOpsFlag> operations) {
    this(type, operations, DeviceProfile.standard());
  }

  ExtendedQpFixture(QpType type, Set<SendOpsFlag> operations, DeviceProfile profile) {
    this(type, operations, profile, CAP);
  }

  ExtendedQpFixture(QpType type, Set<SendOpsFlag> operations, DeviceProfile profile, QpCap cap) {
    boolean isLinux = !profile.quirks().isEmpty();
    rights = EnumSet.copyOf(RIGHTS);
    rights.addAll(isLinux ? Set.of() : FLUSH);
    context = emulator.addDevice(profile, "10.0.0.1").open();
    pd = context.allocPd();
    sent = context.createCq(MANY);
    received = context.createCq(MANY);
    local = TestEndpoint.registerIn(pd, SLOT_BYTES, rights);
    remote = TestEndpoint.registerIn(pd, RECEIVES * SLOT_BYTES, rights);
    xrcd = type == QpType.XRC_SEND ? context.openXrcd() : null;
    srq = xrcd == null ? null : xrcd.createSrq(pd, received, SrqAttr.of(RECEIVES, 1));
    QpInitAttr initAttr = new QpInitAttr(type, sent, received, null, cap, false);
    QpInitAttrEx extended = QpInitAttrEx.of(initAttr).withSendOps(operations);
    boolean segments = operations.contains(SendOpsFlag.WITH_TSO);
    qp = pd.createQpEx(segments ? extended.withMaxTsoHeader(MAX_TSO_HEADER) : extended);
    target = xrcd == null ? pd.createQp(initAttr) : xrcd.createQp();
    ah = pd.createAh(AhAttr.to(gid()));
    mw = pd.allocMw(MwType.TYPE_2);
    connect(qp, target.qpNum());
    connect(target, qp.qpNum());
    for (int slot = 0; slot < RECEIVES; slot++) {
      receive(slot);
    }
  }

  private Gid gid() {
    return context.queryGid(1, 0);
  }

  private void connect(QueuePair one, int peerQpn) {
    QpType type = one.initAttr().qpType();
    QpAttr init = Attributes.init(type);
    boolean isConnected = type != QpType.UD && type != QpType.RAW_PACKET;
    one.modify(isConnected ? init.qpAccessFlags(rights) : init);
    one.modify(Attributes.rtr(type, gid(), peerQpn, PSN));
    one.modify(Attributes.rts(type, PSN));
  }

  private void receive(int slot) {
    RecvWr wr = RecvWr.of(slot, remote.sge(slot * SLOT_BYTES, SLOT_BYTES));
    if (srq == null) {
      target.postRecv(wr);
    } else {
      srq.postRecv(wr);
    }
  }

  /** Number of the shared receive queue; of none if there is none. */
  int srqn() {
    return srq == null ? 1 : srq.srqNum();
  }

  /** A batch that is completed, with signaled requests. */
  void post(Consumer<WrBatch> requests) {
    try (WrBatch wr = qp.wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED);
      requests.accept(wr);
      wr.complete();
    }
  }

  /** Exception that refuses the batch; null if it is accepted. */
  BadWorkRequestException refusalOf(Consumer<WrBatch> requests) {
    return catchThrowableOfType(BadWorkRequestException.class, () -> post(requests));
  }

  void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  /** Lets everything happen and takes the completions of sends. */
  List<String> sends() {
    drain();
    return Outcomes.of(sent.poll(MANY));
  }

  /** Takes the completions of receives. */
  List<String> receives() {
    drain();
    return Outcomes.of(received.poll(MANY));
  }

  @Override
  public void close() {
    emulator.close();
  }
}
