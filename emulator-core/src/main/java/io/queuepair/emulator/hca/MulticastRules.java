// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;

/** The checks of {@code ibv_attach_mcast} and {@code ibv_detach_mcast}. */
final class MulticastRules {
  private MulticastRules() {}

  /** Refuses queue pairs that cannot be attached, and what is no group. */
  public static void check(String verb, QpType type, Gid group) {
    if (type != QpType.UD) {
      throw new VerbsException(
          Errno.EINVAL, verb, "type " + type + " receives no multicast: only UD does");
    }
    if (!group.isMulticast()) {
      throw new VerbsException(Errno.EINVAL, verb, group + " is no multicast GID");
    }
  }
}
