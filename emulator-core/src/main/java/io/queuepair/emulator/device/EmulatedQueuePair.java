package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.verbs.DataInOrderCap;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A queue pair as the application sees it; what it does is in the {@link Hca}. */
class EmulatedQueuePair implements QueuePair, Owned {
  private static final String BIND_MW = "ibv_bind_mw";
  private static final String POST_RECV = "ibv_post_recv";
  private static final String POST_SEND = "ibv_post_send";
  private static final String ATTACH = "ibv_attach_mcast";
  private static final String DETACH = "ibv_detach_mcast";

  /** Of a number of 24 bits. */
  private static final int QPN_DIGITS = 6;

  private final EmulatedContext context;

  /** Null for the target of an extended connection. */
  private final EmulatedProtectionDomain pd;

  private final QpInitAttr initAttr;
  private final QpContext qp;

  /** The objects it was made of, which it keeps from being destroyed. */
  private final List<Lifetime> needs;

  private final HcaDriver driver;
  private final Lifetime lifetime = new Lifetime("queue pair");

  /**
   * Held by whoever posts sends, for the time of a batch or of one call; also where a thread domain
   * promises that there is only one.
   */
  private final BatchLock posting = new BatchLock("sends", true);

  EmulatedQueuePair(EmulatedContext context, QueuePairMaker.Made made) {
    this.context = context;
    pd = made.pd();
    initAttr = made.initAttr();
    qp = made.qp();
    needs = made.needs();
    driver = context.driver();
  }

  final HcaDriver driver() {
    return driver;
  }

  final EmulatedContext emulatedContext() {
    return context;
  }

  final QpContext qp() {
    return qp;
  }

  final BatchLock posting() {
    return posting;
  }

  /** Begins to post sends: for one call, or for a batch. */
  final void openSends(String verb) {
    enterDomain();
    boolean isOpen = false;
    try {
      posting.open(verb);
      isOpen = true;
    } finally {
      if (!isOpen) {
        leaveDomain();
      }
    }
  }

  final void closeSends() {
    posting.close();
    leaveDomain();
  }

  private void enterDomain() {
    if (pd != null) {
      pd.enter("QP", qp.qpn());
    }
  }

  private void leaveDomain() {
    if (pd != null) {
      pd.leave();
    }
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public int qpNum() {
    return qp.qpn();
  }

  @Override
  public QpInitAttr initAttr() {
    return initAttr;
  }

  @Override
  public void modify(QpAttr attr, Set<QpAttrMask> mask) {
    Objects.requireNonNull(attr, "attr");
    Objects.requireNonNull(mask, "mask");
    driver.enter("ibv_modify_qp");
    driver.step(
        hca -> {
          lifetime.check("ibv_modify_qp");
          hca.queuePairs().modify(qp, attr, mask);
        });
  }

  @Override
  public QpAttr query() {
    driver.enter("ibv_query_qp");
    return driver.call(
        hca -> {
          lifetime.check("ibv_query_qp");
          return hca.queuePairs().query(qp);
        });
  }

  @Override
  public final void postSend(List<SendWr> wrs) {
    EmulatedSharedReceiveQueue.checkNoneNull(wrs, "wrs");
    driver.enter(POST_SEND);
    openSends(POST_SEND);
    try {
      driver.step(this, wrs, EmulatedQueuePair::postSend);
    } finally {
      closeSends();
    }
  }

  private static void postSend(Hca hca, EmulatedQueuePair queue, List<SendWr> wrs) {
    queue.lifetime.check(POST_SEND);
    hca.queuePairs().postSend(queue.qp, wrs);
  }

  @Override
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    Objects.requireNonNull(bind, "bind");
    driver.enter(BIND_MW);
    openSends(BIND_MW);
    try {
      driver.step(
          hca -> {
            lifetime.check(BIND_MW);
            hca.queuePairs().bind(qp, WindowBinds.check(driver, mw, bind.binding()), bind);
          });
    } finally {
      closeSends();
    }
  }

  @Override
  public void modifyRateLimit(QpRateLimitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_modify_qp_rate_limit");
    driver.step(
        hca -> {
          lifetime.check("ibv_modify_qp_rate_limit");
          hca.queuePairs().limitRate(qp, attr);
        });
  }

  @Override
  public Set<DataInOrderCap> queryDataInOrder(WrOpcode op) {
    Objects.requireNonNull(op, "op");
    driver.enter("ibv_query_qp_data_in_order");
    driver.step(hca -> lifetime.check("ibv_query_qp_data_in_order"));
    return EnumSet.noneOf(DataInOrderCap.class);
  }

  @Override
  public void postRecv(List<RecvWr> wrs) {
    EmulatedSharedReceiveQueue.checkNoneNull(wrs, "wrs");
    driver.enter(POST_RECV);
    enterDomain();
    try {
      driver.postReceive(this, wrs, EmulatedQueuePair::postReceive);
    } finally {
      leaveDomain();
    }
  }

  private static void postReceive(Hca hca, EmulatedQueuePair queue, List<RecvWr> wrs) {
    queue.lifetime.check(POST_RECV);
    hca.queuePairs().postReceive(queue.qp, wrs);
  }

  @Override
  public Flow createFlow(FlowAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_create_flow");
    FlowTable.Rule rule =
        driver.call(
            hca -> {
              lifetime.check("ibv_create_flow");
              FlowTable.Rule created = hca.steering().createFlow(qp, attr);
              lifetime.addUser();
              return created;
            });
    return context.adopt(new EmulatedFlow(context, this, attr, rule));
  }

  @Override
  public void attachMcast(Gid group) {
    Objects.requireNonNull(group, "group");
    driver.enter(ATTACH);
    boolean isNew =
        driver.call(
            hca -> {
              lifetime.check(ATTACH);
              boolean attaches = hca.steering().attachMcast(ATTACH, qp, group);
              if (attaches) {
                lifetime.addUser();
              }
              return attaches;
            });
    if (!isNew) {
      return;
    }
    try {
      driver.memberships().join(group.toAddress());
    } catch (FabricException refused) {
      driver.step(hca -> detach(hca, group));
      throw new VerbsException(Errno.EOPNOTSUPP, ATTACH, refused.getMessage(), refused);
    }
  }

  @Override
  public void detachMcast(Gid group) {
    Objects.requireNonNull(group, "group");
    driver.enter(DETACH);
    driver.step(
        hca -> {
          lifetime.check(DETACH);
          hca.steering().checkAttached(DETACH, qp, group);
          detach(hca, group);
        });
    driver.memberships().leaveUnused();
  }

  private void detach(Hca hca, Gid group) {
    hca.engine().groups().detach(group, qp);
    lifetime.removeUser();
  }

  @Override
  public final String toString() {
    String name = "QP 0x" + HexFormat.of().toHexDigits(qp.qpn(), QPN_DIGITS);
    return lifetime.hasEnded()
        ? context.describe(this, name, qp.type())
        : context.describe(this, name, qp.type(), qp.state());
  }

  @Override
  public void close() {
    driver.failAsPlanned("ibv_destroy_qp");
    context.awaitAcknowledgements("ibv_destroy_qp", this);
    context.destroy("ibv_destroy_qp", this);
  }

  @Override
  public void release(Hca hca) {
    hca.queuePairs().close(qp, this);
    needs.forEach(Lifetime::removeUser);
  }
}
