package io.queuepair.tools.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMw;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBinding;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.SendFlag;
import java.util.Set;

/** Memory windows over the first half of one parcel, bound anew with each life of a queue pair. */
final class Windows {
  static final int BYTES = 512;

  private static final int TAG = 0xff;

  private final ProtectionDomain pd;
  private final Parcel parcel;
  private final MemoryWindow unbound;
  private MemoryWindow type1;
  private MemoryWindow type2;
  private int type2Rkey;

  /** Allocates windows, none of which is bound yet. */
  Windows(ProtectionDomain pd, Parcel parcel) {
    this.pd = pd;
    this.parcel = parcel;
    unbound = pd.allocMw(MwType.TYPE_1);
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
  }

  /** Binds through a queue pair that has just reached RTS. */
  void bind(SendSupply sends) {
    type1.close();
    type2.close();
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
    MwBinding reading = binding(Set.of(AccessFlag.REMOTE_READ));
    sends.bind(type1, new MwBind(0, Set.of(SendFlag.SIGNALED), reading));
    MwBinding both = binding(Set.of(AccessFlag.REMOTE_READ));
    type2Rkey = (type2.rkey() & ~TAG) | ((type2.rkey() + 1) & TAG);
    sends.post(new BindMw(0, Set.of(SendFlag.SIGNALED), type2, type2Rkey, both));
  }

  private MwBinding binding(Set<AccessFlag> access) {
    return new MwBinding(parcel.region(), parcel.region().addr(), BYTES, access);
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
