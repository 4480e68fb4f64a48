// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.PacketPacingCaps;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Set;

/** The checks of {@code ibv_modify_qp_rate_limit}. */
final class RateRules {
  private static final String VERB = "ibv_modify_qp_rate_limit";

  private RateRules() {}

  /** What the device says of rates: that of raw packets can be limited, to any rate. */
  public static PacketPacingCaps caps(DeviceProfile profile) {
    return profile.has(Quirk.OPTIONAL_VERBS_MISSING) || profile.has(Quirk.NO_RAW_PACKETS)
        ? PacketPacingCaps.NONE
        : new PacketPacingCaps(1, Integer.MAX_VALUE, Set.of(QpType.RAW_PACKET));
  }

  /** Refuses a rate that the queue pair cannot have. */
  public static void check(QpContext qp, QpRateLimitAttr attr, DeviceProfile profile) {
    OptionalVerbs.check(VERB, profile);
    ErrorCollector refusal = new ErrorCollector(VERB, "");
    if (qp.type() != QpType.RAW_PACKET) {
      refusal.add("the rate of type " + qp.type() + " cannot be limited, RAW_PACKET's can");
    } else if (qp.state() != QpState.RTS) {
      refusal.add("the state is " + qp.state() + ", a rate can be limited in RTS");
    }
    if (attr.rateLimit() < 0 || attr.maxBurstSz() < 0 || attr.typicalPktSz() < 0) {
      refusal.add(attr + " has a negative number");
    }
    refusal.throwIfAny();
  }
}
