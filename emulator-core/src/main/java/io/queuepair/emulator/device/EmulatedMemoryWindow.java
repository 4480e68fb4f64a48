// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import java.util.List;

/** A memory window of an application. Its rkey is that of the latest bind of type 1. */
final class EmulatedMemoryWindow extends ContextObject implements HcaObject.Window {
  private final EmulatedProtectionDomain pd;
  private final MemoryWindowState window;

  /** Guarded by the driver's lock. */
  private int rkey;

  public EmulatedMemoryWindow(EmulatedProtectionDomain pd, MemoryWindowState window) {
    super(pd.context(), "memory window", List.of(pd.lifecycle()));
    this.pd = pd;
    this.window = window;
    rkey = window.key();
  }

  /** Refuses a bind that {@code ibv_bind_mw} refuses before anything is posted. */
  public static EmulatedMemoryWindow toBind(
      Step step, HcaDriver driver, MemoryWindow window, MwBindInfo binding) {
    if (!(window instanceof EmulatedMemoryWindow mw) || mw.driver() != driver) {
      throw step.refusal(Errno.EINVAL, "there is no memory window of this device");
    }
    if (mw.type() != MwType.TYPE_1) {
      throw step.refusal(Errno.EINVAL, "a memory window of type 2 is bound by a work request");
    }
    if (binding.mr() == null && (binding.addr() != 0 || binding.length() != 0)) {
      throw step.refusal(Errno.EINVAL, "there is an address or a length, but no region");
    }
    if (binding.mr() != null && !areOfOneDomain(binding.mr(), mw)) {
      throw step.refusal(
          Errno.EPERM, "region and memory window belong to different protection domains");
    }
    if (binding.access().contains(AccessFlag.ZERO_BASED)) {
      throw step.refusal(Errno.EINVAL, "ZERO_BASED is for memory windows of type 2 only");
    }
    return mw;
  }

  /** Whether both have one protection domain; a parent domain counts as the one it stands for. */
  private static boolean areOfOneDomain(MemoryRegion mr, MemoryWindow mw) {
    return mr.pd().context() == mw.pd().context()
        && ((HcaObject.Domain) mr.pd()).number() == ((HcaObject.Domain) mw.pd()).number();
  }

  @Override
  public MemoryWindowState window() {
    return window;
  }

  @Override
  public int nextRkey() {
    return MemoryWindowState.keyAfter(rkey);
  }

  @Override
  public void takeRkey(int newRkey) {
    rkey = newRkey;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public MwType type() {
    return window.type();
  }

  @Override
  public int rkey() {
    try (Step step = driver().call()) {
      return rkey;
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "MW 0x" + Integer.toHexString(rkey), window.type());
  }

  @Override
  public void close() {
    context().destroy("ibv_dealloc_mw", this);
  }

  @Override
  public void release(Hca hca) {
    hca.engine().makePackets(); // Carries out binds that were posted.
    hca.registrations().free(window, window.type() == MwType.TYPE_1 ? rkey : window.key());
  }
}
