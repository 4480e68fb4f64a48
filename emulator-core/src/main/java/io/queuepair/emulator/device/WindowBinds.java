package io.queuepair.emulator.device;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.WindowBind;
import io.queuepair.emulator.qp.OfferedOperations;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.qp.RequestPlace;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMw;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBinding;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.Set;

/** What can be said of a bind when it is posted; whether it may be is found out in its turn. */
final class WindowBinds {
  private static final String BIND = "ibv_bind_mw";

  private WindowBinds() {}

  /**
   * The bind of a work request.
   *
   * @param place which request it is, for a refusal
   */
  static WindowBind of(BindMw wr, RequestPlace place) {
    if (!(wr.mw() instanceof EmulatedMemoryWindow mw)) {
      throw place.refusal("there is no memory window");
    }
    if (mw.type() == MwType.TYPE_1) {
      throw place.refusal("a memory window of type 1 is bound by ibv_bind_mw");
    }
    return of(mw, wr.rkey(), wr.binding());
  }

  /** Refuses what {@code ibv_bind_mw} does before anything is posted. */
  static EmulatedMemoryWindow check(HcaDriver driver, MemoryWindow window, MwBinding binding) {
    if (!(window instanceof EmulatedMemoryWindow mw) || !mw.isOf(driver)) {
      throw new VerbsException(Errno.EINVAL, BIND, "there is no memory window of this device");
    }
    if (mw.type() != MwType.TYPE_1) {
      throw new VerbsException(
          Errno.EINVAL, BIND, "a memory window of type 2 is bound by a work request");
    }
    if (binding.mr() == null && (binding.addr() != 0 || binding.length() != 0)) {
      throw new VerbsException(
          Errno.EINVAL, BIND, "there is an address or a length, but no region");
    }
    if (binding.mr() != null && !areOfOneDomain(binding.mr(), mw)) {
      throw new VerbsException(
          Errno.EPERM, BIND, "region and memory window belong to different protection domains");
    }
    if (binding.access().contains(AccessFlag.ZERO_BASED)) {
      throw new VerbsException(
          Errno.EINVAL, BIND, "ZERO_BASED is for memory windows of type 2 only");
    }
    return mw;
  }

  /** Refuses a queue pair of a type without binds: at once, whatever other operations it takes. */
  static void checkType(QpContext qp) {
    if (!OfferedOperations.has(qp.type(), WrOpcode.BIND_MW)) {
      throw new VerbsException(
          Errno.EINVAL, BIND, "BIND_MW is not an operation of type " + qp.type());
    }
  }

  /** A parent domain is the one that it stands for. */
  private static boolean areOfOneDomain(MemoryRegion mr, MemoryWindow mw) {
    return mr.pd().context() == mw.pd().context()
        && ((EmulatedProtectionDomain) mr.pd()).number()
            == ((EmulatedProtectionDomain) mw.pd()).number();
  }

  static WindowBind of(EmulatedMemoryWindow mw, int newKey, MwBinding binding) {
    RegisteredMemory region = binding.mr() instanceof EmulatedMemoryRegion mr ? mr.memory() : null;
    Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
    access.addAll(binding.access());
    MemoryRange range = new MemoryRange(binding.addr(), binding.length());
    return new WindowBind(mw.window(), newKey, region, range, access);
  }
}
