// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.ReregMrRequest;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A memory region; unless the profile says otherwise, its lkey equals its rkey. */
final class EmulatedMemoryRegion implements HcaObject.Region, ContextObject {
  private final OwningContext context;
  private final RegisteredMemory memory;

  /** The device memory that it is made of, or null. */
  private final @Nullable ObjectLifecycle source;

  private final ObjectLifecycle lifecycle = new ObjectLifecycle("memory region");

  /** Changes, as the memory does, under the driver's lock only. */
  private OwningDomain pd;

  /** That of the buffer that was registered; the bytes themselves have none. */
  private ByteOrder order;

  EmulatedMemoryRegion(
      OwningDomain pd, RegisteredMemory memory, @Nullable ObjectLifecycle source, ByteOrder order) {
    this.pd = pd;
    this.memory = memory;
    this.source = source;
    this.order = order;
    context = pd.emulatedContext();
  }

  /** Reads something under the lock of the device. */
  public <T> T read(Function<Hca, T> fact) {
    return context.driver().call(fact);
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public ObjectLifecycle lifecycle() {
    return lifecycle;
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
    return read(hca -> boundedLength());
  }

  private int boundedLength() {
    return (int) Math.min(memory.length(), Integer.MAX_VALUE);
  }

  @Override
  public long size() {
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
    return !memory.isNullMr()
        && (memory.isRemote() || !hca.profile().has(Quirk.NO_RKEY_WITHOUT_RIGHT));
  }

  @Override
  public ByteBuffer buffer() {
    if (source != null) {
      throw new UnsupportedOperationException(
          "device memory is not in the host's address space: copy it");
    }
    return read(
        hca -> {
          if (memory.bytes() == null) {
            throw new UnsupportedOperationException("the memory may be longer than a buffer");
          }
          return memory.bytes().duplicate().order(order);
        });
  }

  @Override
  public Sge sge() {
    return read(hca -> new Sge(memory.addr(), boundedLength(), memory.lkey()));
  }

  @Override
  public Sge sge(int offset, int length) {
    return read(
        hca -> {
          boolean isInside = memory.isNullMr() || ((long) offset + length <= memory.length());
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
    context.driver().beginVerb("ibv_rereg_mr");
    context
        .driver()
        .step(
            hca -> {
              lifecycle.check(ReregMrRequest.VERB);
              ReregMrRequest wanted = new ReregMrRequest(change, context, source != null);
              wanted.checkInput(memory);
              hca.engine().makePackets(memory);
              OwningDomain newPd =
                  wanted.movesDomain() && change.pd() instanceof OwningDomain other ? other : pd;
              hca.registrations().change(memory, newPd.number(), wanted);
              hca.engine().giveMemoryBack();
              pd.lifecycle().removeUser();
              newPd.lifecycle().addUser();
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
              hca.engine().makePackets(memory);
              hca.registrations().checkUnbound(memory);
              if (lifecycle.end("ibv_dereg_mr")) {
                hca.usage().deregistering(memory);
                context.remove(hca, this);
              }
            });
  }

  @Override
  public void release(Hca hca) {
    hca.registrations().deregister(memory);
    hca.engine().giveMemoryBack();
    pd.lifecycle().removeUser();
    if (source != null) {
      source.removeUser();
    }
  }
}
