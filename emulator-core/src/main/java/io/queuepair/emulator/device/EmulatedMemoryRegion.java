package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;

/** A memory region; its lkey equals its rkey, unless peers have no right to it. */
final class EmulatedMemoryRegion implements MemoryRegion, Owned {
  private final EmulatedProtectionDomain pd;
  private final RegisteredMemory memory;
  private final Lifetime lifetime = new Lifetime("memory region");

  EmulatedMemoryRegion(EmulatedProtectionDomain pd, RegisteredMemory memory) {
    this.pd = pd;
    this.memory = memory;
  }

  RegisteredMemory memory() {
    return memory;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public long addr() {
    return memory.addr();
  }

  @Override
  public int length() {
    return memory.length();
  }

  @Override
  public int lkey() {
    return memory.key();
  }

  @Override
  public int rkey() {
    boolean isHidden =
        pd.emulatedContext().driver().call(Hca::profile).has(Quirk.NO_RKEY_WITHOUT_RIGHT)
            && !memory.isRemote();
    return isHidden ? 0 : memory.key();
  }

  @Override
  public ByteBuffer buffer() {
    return memory.bytes().duplicate();
  }

  @Override
  public void close() {
    pd.emulatedContext()
        .driver()
        .step(
            hca -> {
              hca.registrations().checkUnbound(memory);
              if (lifetime.end("ibv_dereg_mr")) {
                release(hca);
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      release(hca);
    }
  }

  private void release(Hca hca) {
    hca.registrations().deregister(memory);
    pd.lifetime().removeUser();
    pd.emulatedContext().forget(this);
  }
}
