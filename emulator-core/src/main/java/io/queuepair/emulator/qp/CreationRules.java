package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/** What {@code ibv_create_qp} checks, and the errno of each refusal. */
public final class CreationRules {
  private static final String VERB = "ibv_create_qp";

  private static final Set<QpType> BASIC = EnumSet.of(QpType.RC, QpType.UC, QpType.UD);

  private static final Set<QpType> XRC = EnumSet.of(QpType.XRC_SEND, QpType.XRC_RECV);

  /** Bytes that a scatter/gather entry takes up in a work queue entry of Linux Soft-RoCE. */
  private static final int SGE_BYTES = 16;

  private CreationRules() {}

  /** Whether a device has queue pairs of a type, if its network allows it. */
  public static boolean offers(QpType type, DeviceProfile profile) {
    return BASIC.contains(type)
        || (XRC.contains(type) && profile.can(DeviceCapFlag.XRC))
        || (type == QpType.RAW_PACKET && !profile.has(Quirk.NO_RAW_PACKETS));
  }

  /** Refuses a type that is not offered and capacities that are out of range. */
  public static void check(QpType type, QpCap cap, DeviceProfile profile) {
    if (!offers(type, profile)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          VERB,
          "queue pairs of type " + type + " are not offered by this device");
    }
    long maxWr = profile.limit(DeviceLimit.MAX_QP_WR);
    long maxSge = profile.limit(DeviceLimit.MAX_SGE);
    inRange("max_send_wr", cap.maxSendWr(), maxWr);
    inRange("max_recv_wr", cap.maxRecvWr(), maxWr);
    inRange("max_send_sge", cap.maxSendSge(), maxSge);
    inRange("max_recv_sge", cap.maxRecvSge(), maxSge);
    inRange("max_inline_data", cap.maxInlineData(), profile.maxInlineData());
  }

  /** The capacities of a queue pair with a shared receive queue: what is asked is ignored. */
  public static QpCap withoutReceives(QpCap asked) {
    return new QpCap(asked.maxSendWr(), 0, asked.maxSendSge(), 0, asked.maxInlineData());
  }

  /** What creation says it granted, for capacities that were checked. */
  public static QpCap granted(QpCap asked, DeviceProfile profile) {
    if (!profile.has(Quirk.QUEUES_ROUNDED)) {
      return asked;
    }
    return new QpCap(
        asked.maxSendWr(),
        asked.maxRecvWr(),
        Math.max(asked.maxSendSge(), asked.maxInlineData() / SGE_BYTES),
        asked.maxRecvSge(),
        Math.max(asked.maxInlineData(), asked.maxSendSge() * SGE_BYTES));
  }

  /** What the queues really hold, for what was granted. */
  public static QpCap held(QpCap granted, DeviceProfile profile) {
    if (!profile.has(Quirk.QUEUES_ROUNDED)) {
      return granted;
    }
    return new QpCap(
        ringSize(granted.maxSendWr()),
        ringSize(granted.maxRecvWr()),
        granted.maxSendSge(),
        granted.maxRecvSge(),
        granted.maxInlineData());
  }

  /** How many entries a completion or shared receive queue holds, for how many were asked for. */
  public static int held(int asked, DeviceProfile profile) {
    return profile.has(Quirk.QUEUES_ROUNDED) ? ringSize(asked) : asked;
  }

  /** 2^n - 1: one slot of a ring of 2^n stays empty. */
  private static int ringSize(int asked) {
    return asked == 0 ? 0 : 2 * Integer.highestOneBit(asked) - 1;
  }

  private static void inRange(String name, int value, long max) {
    if (value < 0 || value > max) {
      throw new VerbsException(Errno.EINVAL, VERB, name + " " + value + " is not 0 to " + max);
    }
  }
}
