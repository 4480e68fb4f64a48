// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import java.util.List;

/**
 * An initiator on one device, and two contexts of another one, each with a handle of the same XRC
 * domain. The target queue pair is created by the first of them, the owner.
 */
public final class XrcLoopback implements AutoCloseable {
  private static final String NAME = "pool";
  private static final QpCap CAP = new QpCap(16, 0, 1, 0, 0);

  private final Emulator emulator = Emulator.inMemory();
  private final XrcEndpoint initiator;
  private final QueuePair initiatorQp;
  private final XrcEndpoint owner;
  private final XrcEndpoint guest;
  private final QueuePair target;

  public XrcLoopback() {
    initiator = XrcEndpoint.of(emulator.addDevice("10.0.0.1").open());
    Context first = emulator.addDevice("10.0.0.2").open();
    owner = XrcEndpoint.of(first);
    guest = XrcEndpoint.of(first.device().open());
    initiatorQp = initiator.pd.createQp(QpInitAttr.of(QpType.XRC_SEND, initiator.cq, CAP));
    target = owner.xrcd.createQp();
    connect(initiatorQp, owner.context, target);
    connect(target, initiator.context, initiatorQp);
  }

  /** A context with what is needed to receive. */
  public record XrcEndpoint(
      Context context,
      ProtectionDomain pd,
      ExtendedCompletionQueue cq,
      XrcDomain xrcd,
      SharedReceiveQueue srq,
      MemoryRegion region) {
    private static XrcEndpoint of(Context context) {
      ProtectionDomain pd = context.allocPd();
      ExtendedCompletionQueue cq = context.createCqEx(CqInitAttrEx.of(64));
      XrcDomain xrcd = context.openXrcd(XrcdInitAttr.shared(NAME, OpenFlag.CREAT));
      SharedReceiveQueue srq = xrcd.createSrq(pd, cq, SrqAttr.of(16, 1));
      return new XrcEndpoint(
          context, pd, cq, xrcd, srq, TestEndpoint.registerIn(pd, 4096, Attributes.DATA_RIGHTS));
    }

    public List<EventType> events() {
      return TestEndpoint.events(context);
    }

    /** The next completion. */
    public String await(Emulator emulator) {
      return Outcomes.of(emulator.await(cq));
    }
  }

  private static void connect(QueuePair qp, Context peer, QueuePair peerQp) {
    QpType type = qp.initAttr().qpType();
    qp.modify(
        Attributes.init(type)
            .qpAccessFlags(
                AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
    qp.modify(Attributes.rtr(type, peer.queryGid(1, 0), peerQp.qpNum(), 0));
    qp.modify(Attributes.rts(type, 0));
  }

  public Emulator emulator() {
    return emulator;
  }

  public XrcEndpoint initiator() {
    return initiator;
  }

  public QueuePair initiatorQp() {
    return initiatorQp;
  }

  public XrcEndpoint owner() {
    return owner;
  }

  public XrcEndpoint guest() {
    return guest;
  }

  /** The handle of its creator. */
  public QueuePair target() {
    return target;
  }

  @Override
  public void close() {
    emulator.close();
  }
}
