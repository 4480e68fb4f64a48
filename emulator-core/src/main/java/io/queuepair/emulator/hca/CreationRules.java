// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks of verbs that create objects, above all {@code ibv_create_qp}, and their errnos. */
public final class CreationRules {
  private static final String EXTENDED = "ibv_create_qp_ex";

  /** Bytes that a scatter/gather entry takes up in a work queue entry of Linux Soft-RoCE. */
  private static final int SGE_BYTES = 16;

  private CreationRules() {}

  /** Refuses one more object, with ENOMEM, if the limit is reached. */
  static void checkRoom(String verb, DeviceProfile profile, DeviceLimit limit, long used) {
    long max = profile.limit(limit);
    if (used >= max) {
      throw new VerbsException(
          Errno.ENOMEM, verb, "all " + max + " are in use (" + limit.fieldName() + ")");
    }
  }

  /** Refuses a verb that is optional for providers, with EOPNOTSUPP, if the device lacks it. */
  public static void checkOffered(String verb, DeviceProfile profile) {
    if (profile.has(Quirk.OPTIONAL_VERBS_MISSING)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device does not offer this verb");
    }
  }

  /** Refuses a type that is not offered and capacities that are out of range. */
  public static void check(String verb, QpType type, QpCap cap, DeviceProfile profile) {
    if (!profile.offers(type)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          verb,
          "queue pairs of type " + type + " are not offered by this device");
    }
    long maxWr = profile.limit(DeviceLimit.MAX_QP_WR);
    long maxSge = profile.limit(DeviceLimit.MAX_SGE);
    checkRange(verb, "max_send_wr", cap.maxSendWr(), 0, maxWr);
    checkRange(verb, "max_recv_wr", cap.maxRecvWr(), 0, maxWr);
    checkRange(verb, "max_send_sge", cap.maxSendSge(), 0, maxSge);
    checkRange(verb, "max_recv_sge", cap.maxRecvSge(), 0, maxSge);
    checkRange(verb, "max_inline_data", cap.maxInlineData(), 0, profile.maxInlineData());
  }

  /**
   * Refuses extended features that the device does not have.
   *
   * @param rss receive side scaling that the device offers
   */
  public static void checkExtended(QpInitAttrEx initAttr, RssCaps rss, DeviceProfile profile) {
    QpType type = initAttr.base().qpType();
    if (!initAttr.compMask().contains(QpInitAttrMask.PD)) {
      throw new VerbsException(Errno.EINVAL, EXTENDED, "the mask has no PD");
    }
    for (QpInitAttrMask maskBit : initAttr.compMask()) {
      String why = whyUnknown(maskBit);
      if (why != null) {
        throw unsupported(maskBit + " is not offered: " + why);
      }
    }
    WqVerbs.checkScaling(initAttr, rss);
    if (initAttr.compMask().contains(QpInitAttrMask.CREATE_FLAGS)) {
      checkCreateFlags(type, initAttr.createFlags(), profile);
    }
    if (initAttr.compMask().contains(QpInitAttrMask.SEND_OPS_FLAGS)) {
      checkSendOps(type, initAttr.sendOpsFlags(), profile);
    }
    if (initAttr.compMask().contains(QpInitAttrMask.MAX_TSO_HEADER)) {
      checkTsoHeader(type, initAttr.maxTsoHeader(), profile);
    }
  }

  private static void checkCreateFlags(
      QpType type, Set<QpCreateFlag> flags, DeviceProfile profile) {
    for (QpCreateFlag flag : flags) {
      if (flag != QpCreateFlag.CVLAN_STRIPPING
          || !profile.rawPacketCaps().contains(RawPacketCap.CVLAN_STRIPPING)) {
        throw unsupported("creation flag " + flag + " is not offered");
      }
      if (type != QpType.RAW_PACKET) {
        throw unsupported("creation flag " + flag + " is for type RAW_PACKET, not " + type);
      }
    }
  }

  private static void checkTsoHeader(QpType type, int bytes, DeviceProfile profile) {
    if (!profile.tsoCaps().supportedQpts().contains(type)) {
      throw unsupported("type " + type + " does not segment large sends on this device");
    }
    checkRange(EXTENDED, "max_tso_header", bytes, 0, profile.maxTsoHeader());
  }

  private static void checkSendOps(QpType type, Set<SendOpsFlag> sendOps, DeviceProfile profile) {
    Set<SendOpsFlag> missingOps = EnumSet.noneOf(SendOpsFlag.class);
    for (SendOpsFlag flag : sendOps) {
      if (!SendOperation.grants(type, flag, profile)) {
        missingOps.add(flag);
      }
    }
    if (!missingOps.isEmpty()) {
      throw unsupported("type " + type + " does not have " + missingOps + " on this device");
    }
  }

  /** Reason why an attribute is not offered, or null. */
  private static @Nullable String whyUnknown(QpInitAttrMask maskBit) {
    return switch (maskBit) {
      case PD, CREATE_FLAGS, MAX_TSO_HEADER, IND_TABLE, RX_HASH, SEND_OPS_FLAGS -> null;
      case XRCD -> "targets of extended connections are created in their XRC domain";
    };
  }

  private static VerbsException unsupported(String message) {
    return new VerbsException(Errno.EOPNOTSUPP, EXTENDED, message);
  }

  /** Capacities that count: without a receive queue of its own those of receives do not. */
  public static QpCap counted(QpType type, boolean sharesReceives, QpCap requestedCap) {
    return sharesReceives || type == QpType.XRC_SEND
        ? new QpCap(
            requestedCap.maxSendWr(), 0, requestedCap.maxSendSge(), 0, requestedCap.maxInlineData())
        : requestedCap;
  }

  /** Capacities that creation returns, for requested ones that were checked. */
  public static QpCap granted(QpCap requestedCap, DeviceProfile profile) {
    if (!profile.has(Quirk.QUEUES_ROUNDED)) {
      return requestedCap;
    }
    return new QpCap(
        requestedCap.maxSendWr(),
        requestedCap.maxRecvWr(),
        Math.max(requestedCap.maxSendSge(), requestedCap.maxInlineData() / SGE_BYTES),
        requestedCap.maxRecvSge(),
        Math.max(requestedCap.maxInlineData(), requestedCap.maxSendSge() * SGE_BYTES));
  }

  /** Capacities that the queues really have, for granted ones. */
  public static QpCap held(QpCap grantedCap, DeviceProfile profile) {
    if (!profile.has(Quirk.QUEUES_ROUNDED)) {
      return grantedCap;
    }
    return new QpCap(
        ringSize(grantedCap.maxSendWr()),
        ringSize(grantedCap.maxRecvWr()),
        grantedCap.maxSendSge(),
        grantedCap.maxRecvSge(),
        grantedCap.maxInlineData());
  }

  /** Number of entries of a completion queue or shared receive queue, for the number asked for. */
  public static int held(int asked, DeviceProfile profile) {
    return profile.has(Quirk.QUEUES_ROUNDED) ? ringSize(asked) : asked;
  }

  /** Smallest 2^n - 1 that is not less: one slot of a ring of 2^n stays empty. */
  private static int ringSize(int asked) {
    return asked == 0 ? 0 : 2 * Integer.highestOneBit(asked) - 1;
  }

  /** Refuses a value that is out of range, with EINVAL. */
  static void checkRange(String verb, String name, int value, long min, long max) {
    if (value < min || value > max) {
      throw new VerbsException(
          Errno.EINVAL, verb, name + " " + value + " is not " + min + " to " + max);
    }
  }
}
