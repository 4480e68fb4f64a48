// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.wire.ToeplitzHash;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqAttrMask;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Verbs on work queues and their indirection tables, with the checks of both and of queue pairs
 * that use them. To the engine a work queue is the receiving half of a queue pair of type
 * RAW_PACKET, without a port. Where the manual pages are silent, it follows {@code uverbs_cmd.c} of
 * the Linux kernel, and its mlx5 driver.
 */
public final class WqVerbs {
  private static final String CREATE_QP = "ibv_create_qp_ex";

  private static final QpCap NO_QUEUES = new QpCap(0, 0, 0, 0, 0);

  private final DeviceProfile profile;
  private final QpVerbs queuePairs;
  private final Engine engine;
  private final UsageListener usage;
  private int tables;

  WqVerbs(DeviceProfile profile, QpVerbs queuePairs, Engine engine, UsageListener usage) {
    this.profile = profile;
    this.queuePairs = queuePairs;
    this.engine = engine;
    this.usage = usage;
  }

  /** Receive side scaling that the device offers on its network. */
  public RssCaps caps() {
    return queuePairs.offerRawPackets() ? profile.rssCaps() : RssCaps.NONE;
  }

  /** Maximum number of work queues of the device; they count as queue pairs. */
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
    checkCreation(verb, attr);
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_QP, engine.queuePairs());
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

  /** Scatter/gather entries of a receive: at least one, as with other providers. */
  public static int grantedSges(WqInitAttr attr) {
    return Math.max(1, attr.maxSge());
  }

  public void modify(String verb, QpEngine wq, WqAttr attr) {
    WqState state = stateOf(wq.qp());
    WqState next = checkModification(verb, state, attr);
    boolean changesFlags =
        attr.attrMask().contains(WqAttrMask.FLAGS)
            && attr.flagsMask().contains(WqFlag.CVLAN_STRIPPING);
    if (changesFlags) {
      wq.qp().use(Offloads.ofReceives(attr.flags().contains(WqFlag.CVLAN_STRIPPING), profile));
    }
    if (next == state) {
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

  /** Lets a work queue, or a queue pair that spreads frames, receive frames. */
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

  public void createTable(String verb, int places) {
    checkOffered(verb);
    RssCaps caps = caps();
    checkTable(verb, places, caps);
    if (tables == caps.maxRwqIndirectionTables()) {
      throw new VerbsException(Errno.ENOMEM, verb, "all " + tables + " tables are in use");
    }
    tables++;
  }

  public void destroyTable() {
    tables--;
  }

  /** Refuses flags that are not offered, and capacities that are out of range. */
  private void checkCreation(String verb, WqInitAttr attr) {
    checkFlags(verb, attr.createFlags());
    CreationRules.checkRange(verb, "max_wr", attr.maxWr(), 1, profile.limit(DeviceLimit.MAX_QP_WR));
    CreationRules.checkRange(verb, "max_sge", attr.maxSge(), 0, profile.limit(DeviceLimit.MAX_SGE));
  }

  private void checkFlags(String verb, Set<WqFlag> flags) {
    for (WqFlag flag : flags) {
      if (flag != WqFlag.CVLAN_STRIPPING
          || !profile.rawPacketCaps().contains(RawPacketCap.CVLAN_STRIPPING)) {
        throw new VerbsException(Errno.EOPNOTSUPP, verb, "flag " + flag + " is not offered");
      }
    }
  }

  /**
   * Checks a modification.
   *
   * @return the state of the work queue after it
   */
  private WqState checkModification(String verb, WqState state, WqAttr attr) {
    Set<WqAttrMask> mask = attr.attrMask();
    if (mask.isEmpty()) {
      throw refusal(verb, "the mask is empty");
    }
    if (mask.contains(WqAttrMask.CURR_STATE) && attr.currWqState() != state) {
      throw refusal(verb, "the state is " + state + ", not " + attr.currWqState());
    }
    if (mask.contains(WqAttrMask.FLAGS)) {
      checkFlags(verb, attr.flagsMask());
    }
    WqState next = mask.contains(WqAttrMask.STATE) ? attr.wqState() : state;
    boolean isAllowed =
        next != null
            && switch (next) {
              case RESET, ERR -> true;
              case RDY -> state != WqState.ERR;
              case UNKNOWN -> false;
            };
    if (!isAllowed) {
      throw refusal(verb, "there is no transition from " + state + " to " + next);
    }
    return next;
  }

  /** Refuses a table whose size is no power of two: the lowest bits of a hash are the index. */
  private static void checkTable(String verb, int places, RssCaps caps) {
    CreationRules.checkRange(
        verb, "the number of places", places, 1, caps.maxRwqIndirectionTableSize());
    if (Integer.bitCount(places) != 1) {
      throw refusal(verb, places + " places are not a power of two");
    }
  }

  /** Whether a queue pair is to spread its frames over work queues. */
  public static boolean areAskedFor(QpInitAttrEx attr) {
    return attr.compMask().contains(QpInitAttrMask.IND_TABLE);
  }

  /** Refuses a hash that is not offered, and attributes that do not go with a table. */
  static void checkScaling(QpInitAttrEx attr, RssCaps caps) {
    boolean hasHash = attr.compMask().contains(QpInitAttrMask.RX_HASH);
    if (!areAskedFor(attr) && !hasHash) {
      return;
    }
    QpInitAttr initAttr = attr.base();
    if (!caps.supportedQpts().contains(initAttr.qpType())) {
      throw unsupported("type " + initAttr.qpType() + " does not spread frames on this device");
    }
    boolean isWhole =
        areAskedFor(attr) && hasHash && attr.rwqIndTbl() != null && attr.rxHashConf() != null;
    if (!isWhole) {
      throw refusal(CREATE_QP, "a table of work queues and the hash for it go together");
    }
    if (initAttr.sendCq() != null
        || initAttr.recvCq() != null
        || initAttr.srq() != null
        || !initAttr.cap().equals(NO_QUEUES)) {
      throw refusal(CREATE_QP, "beside work queues there are no queues of its own");
    }
    checkHash(attr.rxHashConf(), caps);
  }

  private static void checkHash(RxHashConf hash, RssCaps caps) {
    if (!caps.rxHashFunctions().contains(hash.function())) {
      throw unsupported("hash function " + hash.function() + " is not offered");
    }
    Set<RxHashField> unknownFields = EnumSet.noneOf(RxHashField.class);
    unknownFields.addAll(hash.fields());
    unknownFields.removeAll(caps.rxHashFields());
    if (!unknownFields.isEmpty()) {
      throw unsupported("hash fields " + unknownFields + " are not offered");
    }
    int length = hash.key().limit();
    if (length != ToeplitzHash.KEY_BYTES) {
      throw refusal(CREATE_QP, "a key of " + length + " bytes is not of " + ToeplitzHash.KEY_BYTES);
    }
  }

  private static VerbsException unsupported(String message) {
    return new VerbsException(Errno.EOPNOTSUPP, CREATE_QP, message);
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}
