// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Feth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.PlacementType;
import java.util.EnumSet;
import java.util.Set;

/** The rights that a FLUSH needs of queue pair and memory: one for each kind of placement. */
final class FlushAccess {
  private FlushAccess() {}

  static Set<AccessFlag> of(Feth feth) {
    Set<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
    if ((feth.placement() & PlacementType.GLOBAL.code()) != 0) {
      rights.add(AccessFlag.FLUSH_GLOBAL);
    }
    if ((feth.placement() & PlacementType.PERSISTENT.code()) != 0) {
      rights.add(AccessFlag.FLUSH_PERSISTENT);
    }
    return rights;
  }
}
