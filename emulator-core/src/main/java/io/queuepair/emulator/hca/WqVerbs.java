// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqAttrMask;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import java.util.function.Consumer;

/**
 * The verbs on work queues and the tables that lead to them. To the engine a work queue is the
 * receiving half of a queue pair of type RAW_PACKET, without a port.
 */
public final class WqVerbs {
  private final DeviceProfile profile;
  private final ResourceLimits resourceLimits;
  private final QpVerbs queuePairs;
  private final Engine engine;
  private final UsageListener usage;
  private int tables;

  WqVerbs(DeviceProfile profile, QpVerbs queuePairs, Engine engine, UsageListener usage) {
    this.profile = profile;
    this.queuePairs = queuePairs;
    this.engine = engine;
    this.usage = usage;
    resourceLimits = new ResourceLimits(profile);
  }

  /** What the device and the network it is on offer. */
  public RssCaps caps() {
    return queuePairs.offerRawPackets() ? profile.rssCaps() : RssCaps.NONE;
  }

  /** How many work queues there can be: they are among the queue pairs. */
  int max() {
    return caps().supportedQpts().isEmpty() ? 0 : (int) profile.limit(DeviceLimit.MAX_QP);
  }

  /** Refuses a verb on a device that has no work queues. */
  private void checkOffered(String verb) {
    if (caps().supportedQpts().isEmpty()) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device has no work queues");
    }
  }

  public QpEngine create(
      String verb, WqInitAttr attr, int domain, CompletionRing ring, Consumer<EventType> events) {
    checkOffered(verb);
    WorkQueueRules.checkCreation(attr, profile);
    resourceLimits.check(verb, DeviceLimit.MAX_QP, engine.queuePairs());
    QpContext.QpSetup setup =
        new QpContext.QpSetup(
            QpType.RAW_PACKET,
            domain,
            ring,
            ring,
            null,
            new QpCap(0, attr.maxWr(), 0, grantedSges(attr), 0),
            false,
            Offloads.ofReceives(attr.createFlags().contains(WqFlag.CVLAN_STRIPPING), profile),
            profile.quirks(),
            events);
    return engine.create(setup);
  }

  /** Scatter/gather entries of a receive: one at least, as with other providers. */
  public static int grantedSges(WqInitAttr attr) {
    return Math.max(1, attr.maxSge());
  }

  public void modify(QpEngine wq, WqAttr attr) {
    WqState now = stateOf(wq.qp());
    WqState next = WorkQueueRules.checkModification(now, attr, profile);
    boolean changesFlags =
        attr.attrMask().contains(WqAttrMask.FLAGS)
            && attr.flagsMask().contains(WqFlag.CVLAN_STRIPPING);
    if (changesFlags) {
      wq.qp().use(Offloads.ofReceives(attr.flags().contains(WqFlag.CVLAN_STRIPPING), profile));
    }
    if (next == now) {
      return;
    }
    switch (next) {
      case RESET -> {
        wq.enter(QpState.RESET);
        usage.reset(wq.qp());
      }
      case RDY -> makeReady(wq);
      case ERR -> wq.enter(QpState.ERR);
      case UNKNOWN -> throw new AssertionError(next);
    }
  }

  /** Lets frames in: of a work queue, or of a queue pair that spreads them. */
  public void makeReady(QpEngine qpEngine) {
    qpEngine.enter(QpState.INIT);
    qpEngine.enter(QpState.RTR);
  }

  public static WqState stateOf(QpContext wq) {
    return switch (wq.state()) {
      case RESET -> WqState.RESET;
      case ERR -> WqState.ERR;
      case INIT, RTR, RTS, SQD, SQE, UNKNOWN -> WqState.RDY;
    };
  }

  public void destroy(QpEngine wq) {
    engine.destroy(wq);
    usage.reset(wq.qp());
  }

  /** Takes one of the tables. */
  public void createTable(String verb, int places) {
    checkOffered(verb);
    RssCaps caps = caps();
    WorkQueueRules.checkTable(places, caps);
    if (tables == caps.maxRwqIndirectionTables()) {
      throw new VerbsException(Errno.ENOMEM, verb, "all " + tables + " tables are in use");
    }
    tables++;
  }

  public void destroyTable() {
    tables--;
  }
}
