package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** A memory region; unless the profile says otherwise, its lkey equals its rkey. */
final class EmulatedMemoryRegion implements MemoryRegion, Owned {
  private final EmulatedContext context;
  private final RegisteredMemory memory;

  /** The device memory that it is made of, or null. */
  private final Lifetime source;

  private final Lifetime lifetime = new Lifetime("memory region");

  /** Changes, as the memory does, under the driver's lock only. */
  private EmulatedProtectionDomain pd;

  EmulatedMemoryRegion(EmulatedProtectionDomain pd, RegisteredMemory memory, Lifetime source) {
    this.pd = pd;
    this.memory = memory;
    this.source = source;
    context = pd.emulatedContext();
  }

  private <T> T read(Function<Hca, T> fact) {
    return context.driver().call(fact);
  }

  RegisteredMemory memory() {
    return memory;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public ProtectionDomain pd() {
    return read(hca -> pd);
  }

  @Override
  public long addr() {
    return read(hca -> memory.addr());
  }

  @Override
  public int length() {
    return read(hca -> memory.length());
  }

  @Override
  public int lkey() {
    return memory.lkey();
  }

  @Override
  public int rkey() {
    return read(hca -> isForPeers(hca) ? memory.key() : 0);
  }

  private boolean isForPeers(Hca hca) {
    return !memory.isEndless()
        && (memory.isRemote() || !hca.profile().has(Quirk.NO_RKEY_WITHOUT_RIGHT));
  }

  @Override
  public ByteBuffer buffer() {
    if (source != null) {
      throw new UnsupportedOperationException(
          "device memory is not in the host's address space: copy it");
    }
    return read(hca -> memory.bytes().duplicate());
  }

  @Override
  public void rereg(ReregMr change) {
    context.driver().enter("ibv_rereg_mr");
    context
        .driver()
        .step(
            hca -> {
              lifetime.check(Reregistration.VERB);
              Reregistration wanted = new Reregistration(change, context, source != null);
              wanted.checkInput(memory);
              EmulatedProtectionDomain newPd = wanted.domainOr(pd);
              hca.registrations().change(memory, newPd.number(), wanted);
              hca.engine().giveMemoryBack();
              pd.lifetime().removeUser();
              newPd.lifetime().addUser();
              pd = newPd;
            });
  }

  @Override
  public void close() {
    context.driver().enter("ibv_dereg_mr");
    context
        .driver()
        .step(
            hca -> {
              hca.registrations().checkUnbound(memory);
              if (lifetime.end("ibv_dereg_mr")) {
                hca.usage().deregistering(memory);
                context.remove(hca, this);
              }
            });
  }

  @Override
  public void release(Hca hca) {
    hca.registrations().deregister(memory);
    hca.engine().giveMemoryBack();
    pd.lifetime().removeUser();
    if (source != null) {
      source.removeUser();
    }
  }
}
