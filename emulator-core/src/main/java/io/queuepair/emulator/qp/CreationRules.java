package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
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

  private static final Set<QpType> OFFERED =
      EnumSet.of(
          QpType.RC, QpType.UC, QpType.UD, QpType.RAW_PACKET, QpType.XRC_SEND, QpType.XRC_RECV);

  private CreationRules() {}

  /** Refuses a type that is not offered and capacities that are out of range. */
  public static void check(QpType type, QpCap cap, DeviceProfile profile) {
    if (!OFFERED.contains(type)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, VERB, "queue pairs of type " + type + " are not offered");
    }
    long maxWr = profile.limit(DeviceLimit.MAX_QP_WR);
    long maxSge = profile.limit(DeviceLimit.MAX_SGE);
    inRange("max_send_wr", cap.maxSendWr(), maxWr);
    inRange("max_recv_wr", cap.maxRecvWr(), maxWr);
    inRange("max_send_sge", cap.maxSendSge(), maxSge);
    inRange("max_recv_sge", cap.maxRecvSge(), maxSge);
    inRange("max_inline_data", cap.maxInlineData(), profile.maxInlineData());
  }

  private static void inRange(String name, int value, long max) {
    if (value < 0 || value > max) {
      throw new VerbsException(Errno.EINVAL, VERB, name + " " + value + " is not 0 to " + max);
    }
  }
}
