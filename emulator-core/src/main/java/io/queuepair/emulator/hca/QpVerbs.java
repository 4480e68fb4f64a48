// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.fabric.ResponderResources;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendReader;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.queue.WqePool;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.PacketPacingCaps;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The verbs on queue pairs. */
public final class QpVerbs {
  private static final int ROUTE_HOP_LIMIT = 64;

  private static final AhAttr NO_ADDRESS = new AhAttr(new GlobalRoute(Gid.ZERO, 0, 0, 0, 0), 0, 0);

  private final DeviceProfile profile;
  private final Ports ports;
  private final Engine engine;
  private final SendRules sendRules;
  private final UsageListener usage;
  private final ResponderResources responderResources;
  private final WqePool wqes;

  /** Checked requests of the current batch; empty between calls. */
  private final List<SendWqe> batchedWqes = new ArrayList<>();

  /** XRC target queue pairs, which may have several handles, by number. */
  private final Map<Integer, XrcTarget> targets = new TreeMap<>();

  QpVerbs(
      DeviceProfile profile,
      Ports ports,
      Engine engine,
      SendRules sendRules,
      UsageListener usage,
      ResponderResources responderResources) {
    this.profile = profile;
    this.ports = ports;
    this.engine = engine;
    this.usage = usage;
    this.responderResources = responderResources;
    wqes = engine.wqes();
    this.sendRules = sendRules;
  }

  /** Whether the device offers raw packets on the network that it is on. */
  boolean offerRawPackets() {
    return (ports.first().isOnSegment() || profile.loopsRawPackets())
        && profile.offers(QpType.RAW_PACKET);
  }

  /** Registers an XRC target queue pair, so that more handles of it can be opened. */
  public void share(QpEngine qpEngine, XrcTarget target) {
    target.setQpEngine(qpEngine);
    targets.put(qpEngine.qp().qpn(), target);
  }

  /**
   * XRC target queue pair of an XRC domain.
   *
   * @throws VerbsException EINVAL if there is none of that number
   */
  public XrcTarget target(String verb, int domain, int qpn) {
    XrcTarget target = targets.get(qpn);
    if (target == null || target.qpEngine().qp().domain() != domain) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the domain has no queue pair of type XRC_RECV and number " + qpn);
    }
    return target;
  }

  /** Closes a handle of a queue pair, and destroys the queue pair with the last one. */
  public void close(QpEngine qpEngine, XrcTarget.Handle handle) {
    QpContext qp = qpEngine.qp();
    XrcTarget target = targets.get(qp.qpn());
    if (target == null || target.close(handle)) {
      targets.remove(qp.qpn());
      forgetResponderResources(qp);
      engine.makePackets(qpEngine);
      engine.destroy(qpEngine);
      usage.reset(qp);
    }
  }

  /** Creates a queue pair; the setup has the capacities that were asked for. */
  public QpEngine create(String verb, QpContext.QpSetup setup) {
    QpCap ownCap = CreationRules.counted(setup.type(), setup.srq() != null, setup.cap());
    CreationRules.check(verb, setup.type(), ownCap, profile);
    if (setup.type() == QpType.RAW_PACKET && !offerRawPackets()) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          verb,
          "queue pairs of type RAW_PACKET need an Ethernet segment, which this network is not");
    }
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_QP, engine.queuePairs());
    QpCap grantedCap = CreationRules.granted(ownCap, profile);
    QpEngine qpEngine = engine.create(setup.withCap(CreationRules.held(grantedCap, profile)));
    if (profile.can(DeviceCapFlag.AUTO_PATH_MIG) && !profile.has(Quirk.ALT_PATH_REFUSED)) {
      qpEngine.qp().offerMigration();
    }
    return qpEngine;
  }

  public void modify(QpEngine qpEngine, QpAttr attr, Set<QpAttrMask> mask) {
    engine.makePackets(qpEngine);
    QpContext qp = qpEngine.qp();
    Set<QpAttrMask> countedMask = ModifyQpChecks.check(qp, attr, mask, ports);
    boolean migrates =
        countedMask.contains(QpAttrMask.PATH_MIG_STATE)
            && attr.pathMigState() == MigState.MIGRATED
            && qp.attributes().pathMigState() == MigState.ARMED;
    if (migrates) {
      qpEngine.migrate();
    }
    qp.attributes().apply(attr, countedMask);
    if (profile.has(Quirk.RD_ATOMIC_ROUNDED)) {
      qp.attributes().roundReads();
    }
    if (countedMask.contains(QpAttrMask.CAP)) {
      qp.resize(CreationRules.counted(qp.type(), qp.setup().srq() != null, attr.cap()));
    }
    if (countedMask.contains(QpAttrMask.RETRY_CNT) || countedMask.contains(QpAttrMask.RNR_RETRY)) {
      qpEngine.retriesChanged();
    }
    if (countedMask.contains(QpAttrMask.RATE_LIMIT)) {
      qpEngine.rateChanged();
    }
    if (countedMask.contains(QpAttrMask.PORT)) {
      qp.usePort(ports.of(qp));
    }
    if (countedMask.contains(QpAttrMask.AV)) {
      qp.connect(ports.pathOf(qp));
    } else if (countedMask.contains(QpAttrMask.PKEY_INDEX) && qp.path() != null) {
      // The route stays, as its address may be gone: only a new AV checks that.
      qp.connect(qp.path().withPkeyIndex(attr.pkeyIndex()));
    }
    if (countedMask.contains(QpAttrMask.ALT_PATH)) {
      qp.loadAlternate(ports.alternateOf(qp));
    }
    if (countedMask.contains(QpAttrMask.MAX_DEST_RD_ATOMIC)) {
      responderResources.put(
          qp.path().route().source(), qp.qpn(), qp.attributes().maxDestRdAtomic());
    }
    if (countedMask.contains(QpAttrMask.MAX_QP_RD_ATOMIC)) {
      compareWithPeer(qp);
    }
    if (countedMask.contains(QpAttrMask.STATE)) {
      if (attr.qpState() == QpState.RESET) {
        forgetResponderResources(qp);
      }
      qpEngine.enter(attr.qpState());
      if (attr.qpState() == QpState.RESET) {
        usage.reset(qp);
      }
    }
  }

  private void forgetResponderResources(QpContext qp) {
    ports.addresses().forEach(address -> responderResources.remove(address, qp.qpn()));
  }

  /** Tells the sanitizer how many READs and atomics a peer in this process answers at a time. */
  private void compareWithPeer(QpContext qp) {
    OptionalInt resources =
        responderResources.of(qp.path().route().destination(), qp.attributes().destQpNum());
    if (resources.isPresent()) {
      usage.peerAnswers(qp, resources.getAsInt());
    }
  }

  public void limitRate(String verb, QpEngine qpEngine, QpRateLimitAttr attr) {
    engine.makePackets(qpEngine);
    checkRate(verb, qpEngine.qp(), attr);
    qpEngine.qp().attributes().limitRate(attr);
    qpEngine.rateChanged();
  }

  private void checkRate(String verb, QpContext qp, QpRateLimitAttr attr) {
    CreationRules.checkOffered(verb, profile);
    ErrorCollector errors = new ErrorCollector(verb, () -> "");
    if (qp.type() != QpType.RAW_PACKET) {
      errors.add("the rate of type " + qp.type() + " cannot be limited, RAW_PACKET's can");
    } else if (qp.state() != QpState.RTS) {
      errors.add("the state is " + qp.state() + ", a rate can be limited in RTS");
    }
    if (attr.rateLimit() < 0 || attr.maxBurstSz() < 0 || attr.typicalPktSz() < 0) {
      errors.add(attr + " has a negative number");
    }
    errors.throwIfAny();
  }

  /** Rate limits of the device: only the rate of raw packets can be limited, to any value. */
  PacketPacingCaps pacingCaps() {
    return profile.has(Quirk.OPTIONAL_VERBS_MISSING) || profile.has(Quirk.NO_RAW_PACKETS)
        ? PacketPacingCaps.NONE
        : new PacketPacingCaps(1, Integer.MAX_VALUE, Set.of(QpType.RAW_PACKET));
  }

  /** All attributes; the PSNs are the current ones, also in ERR. */
  public QpAttr query(QpEngine qpEngine) {
    QpContext qp = qpEngine.qp();
    QpAttr attr = attributesOf(qp).sqPsn(qpEngine.nextPsn());
    // Datagrams have no order, so UD expects no PSN; Linux shows how far the PSNs have come.
    if (qp.type() != QpType.UD || profile.has(Quirk.QUERY_QP_NORMALIZED)) {
      attr.rqPsn(qpEngine.expectedPsn());
    }
    return attr;
  }

  /** All attributes as they were set, with the state and the capacities that were granted. */
  private QpAttr attributesOf(QpContext qp) {
    QpAttr attr = qp.attributes().toQpAttr().qpState(qp.state()).cap(qp.setup().cap());
    attr.sqDraining(qp.isDraining());
    return profile.has(Quirk.QUERY_QP_NORMALIZED)
        ? rewritten(attr, qp)
        : attr.curQpState(qp.state());
  }

  private static QpAttr rewritten(QpAttr attr, QpContext qp) {
    attr.enSqdAsyncNotify(false);
    if (attr.altPath() == null) {
      attr.altPath(new AlternatePath(NO_ADDRESS, 0, 0, 0));
    }
    if (!qp.attributes().isPathMtuGiven()) {
      attr.pathMtu(Mtu.MTU_256);
    }
    AhAttr ahAttr = attr.ahAttr();
    if (ahAttr == null) {
      return attr.ahAttr(NO_ADDRESS);
    }
    GlobalRoute grh = ahAttr.grh();
    GlobalRoute route =
        new GlobalRoute(
            grh.dgid(), grh.flowLabel(), grh.sgidIndex(), ROUTE_HOP_LIMIT, grh.trafficClass());
    return attr.ahAttr(new AhAttr(route, 0, ahAttr.portNum()));
  }

  /** Posts requests; a refusal leaves those before the bad one posted. Returns the room left. */
  public <S> int postSend(QpEngine qpEngine, int count, S source, SendReader<S> reader) {
    QpContext qp = qpEngine.qp();
    for (int index = 0; index < count; index++) {
      SendWqe wqe = wqes.takeSend();
      reader.read(source, index, wqe.request());
      check(qp, wqe, WrPosition.inList(index));
      notifyPosted(qp, wqe);
      qpEngine.postSend(wqe);
    }
    return SendRules.room(qp);
  }

  /** Posts the requests of a batch; on a refusal none is posted. */
  public <S> void postBatch(
      QpEngine qpEngine, int count, S source, SendReader<S> reader, SetterCheck setters) {
    QpContext qp = qpEngine.qp();
    try {
      for (int index = 0; index < count; index++) {
        WrPosition position = WrPosition.inBatch(index);
        SendWqe wqe = wqes.takeSend();
        reader.read(source, index, wqe.request());
        setters.check(wqe.request(), position);
        check(qp, wqe, position);
        batchedWqes.add(wqe);
      }
      for (int index = 0; index < count; index++) {
        notifyPosted(qp, batchedWqes.get(index));
        qpEngine.postSend(batchedWqes.get(index));
      }
    } finally {
      batchedWqes.clear();
    }
  }

  private void check(QpContext qp, SendWqe wqe, WrPosition position) {
    SendRules.resolve(ports, qp, wqe, position);
    sendRules.check(qp, wqe, position);
    failIfPortIsDown(qp, wqe);
  }

  private void failIfPortIsDown(QpContext qp, SendWqe wqe) {
    int portNum = qp.attributes().portNum();
    boolean needsPort = wqe.failure() == null && !wqe.operation().isLocal();
    if (needsPort && qp.has(Quirk.SENDS_FAIL_PORT_DOWN) && !ports.isUp(portNum)) {
      wqe.fail(new WorkError(WcStatus.LOC_QP_OP_ERR, "port " + portNum + " is down"));
    }
  }

  /** Tells the sanitizer of a send that is being posted. */
  private void notifyPosted(QpContext qp, SendWqe wqe) {
    usage.posted(qp, wqe);
    if (profile.isSanitized() && wqe.operation().needsResponse() && qp.path() != null) {
      compareWithPeer(qp); // The peer may have been in INIT when this queue pair came to RTS.
    }
  }

  /** Posts a bind of a window of type 1, and gives the window its next rkey. */
  public void bind(String verb, QpEngine qpEngine, HcaObject.Window mw, MwBind bind) {
    QpContext qp = qpEngine.qp();
    SendRules.checkBinds(qp);
    int rkey = mw.nextRkey();
    BindMwWr wr = new BindMwWr(bind.wrId(), bind.flags(), mw, rkey, bind.binding());
    SendWqe wqe = wqes.takeSend();
    wqe.request().set(wr);
    wqe.setBind(SendRules.bindOf(mw, rkey, bind.binding()));
    sendRules.check(qp, wqe, WrPosition.alone(verb));
    notifyPosted(qp, wqe);
    qpEngine.postSend(wqe);
    mw.takeRkey(rkey);
  }

  /** Posts receives; on a refusal those before the bad one are posted. */
  public <S> void postReceive(
      String verb, QpEngine qpEngine, int count, S source, ReceiveReader<S> reader) {
    QpContext qp = qpEngine.qp();
    for (int index = 0; index < count; index++) {
      RecvWqe wqe = wqes.takeReceive();
      reader.read(source, index, wqe);
      ReceiveRules.check(verb, qp, wqe, index);
      usage.posted(qp, wqe);
      qpEngine.postReceive(wqe);
    }
  }
}
