// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.SendFlag;
import java.util.Set;

/** Memory windows over the first half of one area, bound again in each life of a queue pair. */
final class Windows {
  static final int BYTES = 512;

  private static final int TAG = 0xff;

  private final ProtectionDomain pd;
  private final MemoryArea area;
  private final MemoryWindow unbound;
  private MemoryWindow type1;
  private MemoryWindow type2;
  private int type2Rkey;

  /** Allocates windows, none of which is bound yet. */
  Windows(ProtectionDomain pd, MemoryArea area) {
    this.pd = pd;
    this.area = area;
    unbound = pd.allocMw(MwType.TYPE_1);
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
  }

  /** Binds through a queue pair that has just reached RTS. */
  void bind(SendReplenisher sends) {
    type1.close();
    type2.close();
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
    MwBindInfo reading = binding(Set.of(AccessFlag.REMOTE_READ));
    sends.bind(type1, new MwBind(0, Set.of(SendFlag.SIGNALED), reading));
    MwBindInfo both = binding(Set.of(AccessFlag.REMOTE_READ));
    type2Rkey = (type2.rkey() & ~TAG) | ((type2.rkey() + 1) & TAG);
    sends.post(new BindMwWr(0, Set.of(SendFlag.SIGNALED), type2, type2Rkey, both));
  }

  private MwBindInfo binding(Set<AccessFlag> access) {
    return new MwBindInfo(area.region(), area.region().addr(), BYTES, access);
  }

  /** A key that opens nothing yet. */
  int unboundRkey() {
    return unbound.rkey();
  }

  /** The key with which peers of all queue pairs may read. */
  int type1Rkey() {
    return type1.rkey();
  }

  /** The key with which peers of one queue pair may read, and which they may invalidate. */
  int type2Rkey() {
    return type2Rkey;
  }
}
