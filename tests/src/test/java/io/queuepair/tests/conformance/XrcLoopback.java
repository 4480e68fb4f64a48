// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An initiator on one device, and two contexts of another one, each with a handle of the same XRC
 * domain. The target queue pair is created by the first of them, the owner.
 */
public final class XrcLoopback implements AutoCloseable {
  private static final String NAME = "pool";
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private static final QpCap CAP = new QpCap(16, 0, 1, 0, 0);

  private final Emulator emulator = Emulator.inMemory();
  private final XrcEndpoint initiator;
  private final QueuePair initiatorQp;
  private final XrcEndpoint owner;
  private final XrcEndpoint guest;
  private final QueuePair target;

  public XrcLoopback() {
    initiator = new XrcEndpoint(emulator.addDevice("10.0.0.1").open());
    Context first = emulator.addDevice("10.0.0.2").open();
    owner = new XrcEndpoint(first);
    guest = new XrcEndpoint(first.device().open());
    initiatorQp = initiator.pd.createQp(QpInitAttr.of(QpType.XRC_SEND, initiator.cq, CAP));
    target = owner.xrcd.createQp();
    connect();
  }

  /** A context with what is needed to receive. */
  public static final class XrcEndpoint {
    private final Context context;
    private final ProtectionDomain pd;
    private final ExtendedCompletionQueue cq;
    private final XrcDomain xrcd;
    private final SharedReceiveQueue srq;
    private final MemoryRegion region;

    XrcEndpoint(Context context) {
      this.context = context;
      pd = context.allocPd();
      cq = context.createCqEx(CqInitAttrEx.of(64));
      xrcd = context.openXrcd(XrcdInitAttr.shared(NAME, OpenFlag.CREAT));
      srq = xrcd.createSrq(pd, cq, SrqAttr.of(16, 1));
      region = TestEndpoint.registerIn(pd, 4096, RIGHTS);
    }

    public Context context() {
      return context;
    }

    public ProtectionDomain pd() {
      return pd;
    }

    public ExtendedCompletionQueue cq() {
      return cq;
    }

    public XrcDomain xrcd() {
      return xrcd;
    }

    public SharedReceiveQueue srq() {
      return srq;
    }

    public MemoryRegion region() {
      return region;
    }

    /** Takes and acknowledges the events that are there. */
    public List<EventType> events() {
      List<EventType> events = new ArrayList<>();
      for (Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
          event.isPresent();
          event = context.getAsyncEvent(Duration.ZERO)) {
        events.add(event.get().eventType());
        context.ackAsyncEvent(event.get());
      }
      return events;
    }

    /** The next completion. */
    public String await(Emulator emulator) {
      return Outcomes.of(List.of(emulator.await(cq))).get(0);
    }
  }

  private void connect() {
    Gid initiatorGid = initiator.context.queryGid(1, 0);
    Gid targetGid = owner.context.queryGid(1, 0);
    for (QueuePair qp : List.of(initiatorQp, target)) {
      qp.modify(
          QpAttr.to(QpState.INIT)
              .portNum(1)
              .pkeyIndex(0)
              .qpAccessFlags(
                  AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
    }
    initiatorQp.modify(toRtr(targetGid, target.qpNum()));
    target.modify(toRtr(initiatorGid, initiatorQp.qpNum()).minRnrTimer(12).maxDestRdAtomic(4));
    initiatorQp.modify(
        QpAttr.to(QpState.RTS).sqPsn(0).timeout(14).retryCnt(3).rnrRetry(3).maxRdAtomic(4));
    target.modify(QpAttr.to(QpState.RTS).sqPsn(0).timeout(14));
  }

  private static QpAttr toRtr(Gid peer, int peerQpn) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(peer))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(peerQpn)
        .rqPsn(0);
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
