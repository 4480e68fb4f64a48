package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
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

  /** That of the buffer that was registered; the bytes themselves have none. */
  private ByteOrder order;

  EmulatedMemoryRegion(
      EmulatedProtectionDomain pd, RegisteredMemory memory, Lifetime source, ByteOrder order) {
    this.pd = pd;
    this.memory = memory;
    this.source = source;
    this.order = order;
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
    return read(hca -> memory.bytes().duplicate().order(order));
  }

  @Override
  public Sge sge() {
    return read(hca -> new Sge(memory.addr(), memory.length(), memory.lkey()));
  }

  @Override
  public Sge sge(int offset, int length) {
    return read(
        hca -> {
          boolean isInside = memory.isEndless() || ((long) offset + length <= memory.length());
          if (offset < 0 || length < 0 || !isInside) {
            throw new IndexOutOfBoundsException(
                length
                    + " bytes from offset "
                    + offset
                    + " on are not in the "
                    + memory.length()
                    + " bytes of the region");
          }
          return new Sge(memory.addr() + offset, length, memory.lkey());
        });
  }

  @Override
  public void rereg(ReregMr change) {
    Objects.requireNonNull(change, "change");
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
              order = wanted.movesMemory() ? change.buffer().order() : order;
            });
  }

  @Override
  public String toString() {
    return context.describe(
        this, "MR 0x" + Integer.toHexString(memory.key()), memory.length() + " bytes");
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_dereg_mr");
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
