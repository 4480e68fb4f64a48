package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RemoteWindow;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;

/** A memory window as the application sees it: the key is that of the latest bind of type 1. */
final class EmulatedMemoryWindow implements MemoryWindow, Owned {
  private final EmulatedProtectionDomain pd;
  private final RemoteWindow window;
  private final Lifetime lifetime = new Lifetime("memory window");

  /** Guarded by the driver's lock. */
  private int rkey;

  EmulatedMemoryWindow(EmulatedProtectionDomain pd, RemoteWindow window) {
    this.pd = pd;
    this.window = window;
    rkey = window.key();
  }

  boolean isOf(HcaDriver driver) {
    return pd.emulatedContext().driver() == driver;
  }

  RemoteWindow window() {
    return window;
  }

  /** The key that the next bind of type 1 gives, whatever becomes of the one before. */
  int nextRkey() {
    return RemoteWindow.keyAfter(rkey);
  }

  /** A bind of type 1 was posted. */
  void takeRkey(int newRkey) {
    rkey = newRkey;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
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
    return pd.emulatedContext().driver().call(hca -> rkey);
  }

  @Override
  public String toString() {
    return pd.emulatedContext().describe(this, "MW 0x" + Integer.toHexString(rkey), window.type());
  }

  @Override
  public void close() {
    pd.emulatedContext().driver().failAsPlanned("ibv_dealloc_mw");
    pd.emulatedContext().destroy("ibv_dealloc_mw", this);
  }

  @Override
  public void release(Hca hca) {
    hca.registrations().free(window, window.type() == MwType.TYPE_1 ? rkey : window.key());
    pd.lifetime().removeUser();
  }
}
