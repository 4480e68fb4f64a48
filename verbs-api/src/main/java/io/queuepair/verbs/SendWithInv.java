package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * A SEND that also invalidates a key of the peer, once its data has been placed.
 *
 * @param wrId returned in the completion
 * @param sgList local memory
 * @param flags the flags
 * @param invalidateRkey remote key of the peer to invalidate
 */
public record SendWithInv(long wrId, List<Sge> sgList, Set<SendFlag> flags, int invalidateRkey)
    implements SendWr {
  @Override
  public WrOpcode opcode() {
    return WrOpcode.SEND_WITH_INV;
  }

  @Override
  public SendWithInv withFlags(SendFlag... newFlags) {
    return new SendWithInv(wrId, sgList, Set.of(newFlags), invalidateRkey);
  }
}
