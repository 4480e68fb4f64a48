// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * A SEND that also invalidates a memory window of the peer, once its data has been placed. The
 * window must be of type 2 and bound: through the queue pair that receives or, on XRC_SEND, through
 * any of its protection domain. Any other key, that of a region too, completes with REM_ACCESS_ERR.
 *
 * @param wrId returned in the completion
 * @param sgList local memory
 * @param flags the flags
 * @param invalidateRkey remote key of the memory window
 */
public record SendWithInvWr(long wrId, List<Sge> sgList, Set<SendFlag> flags, int invalidateRkey)
    implements SendWr {
  /**
   * Copies the list and the flags.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   * @param invalidateRkey remote key of the memory window
   */
  public SendWithInvWr {
    sgList = Sge.copyOf(sgList, "sgList");
    flags = FlagSet.copyOf(flags, "flags");
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.SEND_WITH_INV;
  }

  @Override
  public SendWithInvWr withFlags(SendFlag... newFlags) {
    return new SendWithInvWr(wrId, sgList, FlagSet.of("newFlags", newFlags), invalidateRkey);
  }
}
