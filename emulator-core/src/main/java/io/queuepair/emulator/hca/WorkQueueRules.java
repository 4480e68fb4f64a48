// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.ToeplitzHash;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
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

/**
 * The checks of work queues, of tables of them, and of queue pairs that use those. Where the manual
 * pages are silent: {@code uverbs_cmd.c} of the Linux kernel, and its mlx5 driver.
 */
public final class WorkQueueRules {
  private static final String CREATE = "ibv_create_wq";
  private static final String MODIFY = "ibv_modify_wq";
  private static final String TABLE = "ibv_create_rwq_ind_table";
  private static final String CREATE_QP = "ibv_create_qp_ex";

  private static final QpCap NO_QUEUES = new QpCap(0, 0, 0, 0, 0);

  private WorkQueueRules() {}

  /** Refuses flags that are not offered, and capacities that are out of range. */
  public static void checkCreation(WqInitAttr attr, DeviceProfile profile) {
    checkFlags(CREATE, attr.createFlags(), profile);
    inRange(CREATE, "max_wr", attr.maxWr(), 1, profile.limit(DeviceLimit.MAX_QP_WR));
    inRange(CREATE, "max_sge", attr.maxSge(), 0, profile.limit(DeviceLimit.MAX_SGE));
  }

  private static void checkFlags(String verb, Set<WqFlag> asked, DeviceProfile profile) {
    for (WqFlag flag : asked) {
      if (flag != WqFlag.CVLAN_STRIPPING
          || !profile.rawPacketCaps().contains(RawPacketCap.CVLAN_STRIPPING)) {
        throw new VerbsException(Errno.EOPNOTSUPP, verb, "flag " + flag + " is not offered");
      }
    }
  }

  /**
   * Checks what shall change.
   *
   * @return the state that the work queue shall have
   */
  public static WqState checkModification(WqState state, WqAttr attr, DeviceProfile profile) {
    Set<WqAttrMask> mask = attr.attrMask();
    if (mask.isEmpty()) {
      throw refusal(MODIFY, "the mask is empty");
    }
    if (mask.contains(WqAttrMask.CURR_STATE) && attr.currWqState() != state) {
      throw refusal(MODIFY, "the state is " + state + ", not " + attr.currWqState());
    }
    if (mask.contains(WqAttrMask.FLAGS)) {
      checkFlags(MODIFY, attr.flagsMask(), profile);
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
      throw refusal(MODIFY, "there is no transition from " + state + " to " + next);
    }
    return next;
  }

  /** Refuses a table that the lowest bits of a hash cannot be the places of. */
  public static void checkTable(int places, RssCaps caps) {
    inRange(TABLE, "the number of places", places, 1, caps.maxRwqIndirectionTableSize());
    if (Integer.bitCount(places) != 1) {
      throw refusal(TABLE, places + " places are not a power of two");
    }
  }

  /** Whether a queue pair is to spread its frames over work queues. */
  public static boolean areAskedFor(QpInitAttrEx attr) {
    return attr.compMask().contains(QpInitAttrMask.IND_TABLE);
  }

  /** Refuses a hash that is not offered, and anything that such a queue pair cannot have. */
  static void checkScaling(QpInitAttrEx attr, RssCaps caps) {
    boolean hasHash = attr.compMask().contains(QpInitAttrMask.RX_HASH);
    if (!areAskedFor(attr) && !hasHash) {
      return;
    }
    QpInitAttr base = attr.base();
    if (!caps.supportedQpts().contains(base.qpType())) {
      throw unsupported("type " + base.qpType() + " does not spread frames on this device");
    }
    boolean isWhole =
        areAskedFor(attr) && hasHash && attr.rwqIndTbl() != null && attr.rxHashConf() != null;
    if (!isWhole) {
      throw refusal(CREATE_QP, "a table of work queues and the hash for it go together");
    }
    if (base.sendCq() != null
        || base.recvCq() != null
        || base.srq() != null
        || !base.cap().equals(NO_QUEUES)) {
      throw refusal(CREATE_QP, "beside work queues there are no queues of its own");
    }
    checkHash(attr.rxHashConf(), caps);
  }

  private static void checkHash(RxHashConf hash, RssCaps caps) {
    if (!caps.rxHashFunctions().contains(hash.function())) {
      throw unsupported("hash function " + hash.function() + " is not offered");
    }
    Set<RxHashField> unknown = EnumSet.noneOf(RxHashField.class);
    unknown.addAll(hash.fields());
    unknown.removeAll(caps.rxHashFields());
    if (!unknown.isEmpty()) {
      throw unsupported("hash fields " + unknown + " are not offered");
    }
    int length = hash.key().limit();
    if (length != ToeplitzHash.KEY_BYTES) {
      throw refusal(CREATE_QP, "a key of " + length + " bytes is not of " + ToeplitzHash.KEY_BYTES);
    }
  }

  private static void inRange(String verb, String name, int value, long min, long max) {
    if (value < min || value > max) {
      throw refusal(verb, name + " " + value + " is not " + min + " to " + max);
    }
  }

  private static VerbsException unsupported(String message) {
    return new VerbsException(Errno.EOPNOTSUPP, CREATE_QP, message);
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}
