// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.ReregMrRequest;
import io.queuepair.emulator.memory.MovableRegion;
import io.queuepair.emulator.memory.ProcessMemory;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A memory region. Its lkey equals its rkey, unless the profile says otherwise. */
final class EmulatedMemoryRegion extends ContextObject implements HcaObject.Region, MovableRegion {
  private final RegisteredMemory memory;

  private final @Nullable ObjectLifecycle sourceLifecycle;

  /** Protection domain, guarded by the driver's lock, as the state of the memory is. */
  private EmulatedProtectionDomain pd;

  /** Byte order of the registered buffer, for views of it. */
  private ByteOrder order;

  EmulatedMemoryRegion(
      EmulatedProtectionDomain pd,
      RegisteredMemory memory,
      @Nullable ObjectLifecycle sourceLifecycle,
      ByteOrder order) {
    super(
        pd.context(),
        "memory region",
        sourceLifecycle == null ? List.of() : List.of(sourceLifecycle));
    this.pd = pd;
    this.memory = memory;
    this.sourceLifecycle = sourceLifecycle;
    this.order = order;
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public ProtectionDomain pd() {
    try (Step step = driver().call()) {
      return pd;
    }
  }

  @Override
  public long addr() {
    try (Step step = driver().call()) {
      return memory.addr();
    }
  }

  @Override
  public int length() {
    try (Step step = driver().call()) {
      return boundedLength();
    }
  }

  private int boundedLength() {
    return (int) Math.min(memory.length(), Integer.MAX_VALUE);
  }

  @Override
  public long size() {
    try (Step step = driver().call()) {
      return memory.length();
    }
  }

  @Override
  public int lkey() {
    return memory.lkey();
  }

  @Override
  public int rkey() {
    try (Step step = driver().call()) {
      return isForPeers(step.hca().profile()) ? memory.key() : 0;
    }
  }

  private boolean isForPeers(DeviceProfile profile) {
    return !memory.isNullMr() && (memory.isRemote() || !profile.has(Quirk.NO_RKEY_WITHOUT_RIGHT));
  }

  @Override
  public ByteBuffer buffer() {
    if (sourceLifecycle != null) {
      throw new UnsupportedOperationException(
          "device memory is not in the host's address space: copy it");
    }
    try (Step step = driver().call()) {
      if (memory.bytes() == null) {
        throw new UnsupportedOperationException("the memory may be longer than a buffer");
      }
      return memory.bytes().duplicate().order(order);
    }
  }

  @Override
  public Sge sge() {
    try (Step step = driver().call()) {
      return new Sge(memory.addr(), boundedLength(), memory.lkey());
    }
  }

  @Override
  public Sge sge(int offset, int length) {
    try (Step step = driver().call()) {
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
    }
  }

  @Override
  public void rereg(ReregMr reregMr) {
    change(reregMr, null);
  }

  @Override
  public void rereg(ReregMr reregMr, ProcessMemory processMemory) {
    change(reregMr, processMemory);
  }

  private void change(ReregMr reregMr, @Nullable ProcessMemory processMemory) {
    Objects.requireNonNull(reregMr, "change");
    try (Step step = driver().step("ibv_rereg_mr", lifecycle())) {
      ReregMrRequest request =
          new ReregMrRequest(reregMr, processMemory, context(), sourceLifecycle != null);
      request.checkInput(memory);
      step.hca().engine().makePackets(memory);
      EmulatedProtectionDomain newPd =
          request.movesDomain() && reregMr.pd() instanceof EmulatedProtectionDomain other
              ? other
              : pd;
      step.hca().registrations().change(memory, newPd.number(), request);
      step.hca().engine().giveMemoryBack();
      pd.lifecycle().removeUser();
      newPd.lifecycle().addUser();
      pd = newPd;
      order = reregMr.buffer() != null && request.movesMemory() ? reregMr.buffer().order() : order;
    }
  }

  @Override
  public String toString() {
    return context()
        .describe(this, "MR 0x" + Integer.toHexString(memory.key()), memory.length() + " bytes");
  }

  @Override
  public void close() {
    driver().failAsPlanned("ibv_dereg_mr");
    try (Step step = driver().resume("ibv_dereg_mr")) {
      step.hca().engine().makePackets(memory);
      step.hca().registrations().checkUnbound(step.verb(), memory);
      if (lifecycle().end(step.verb())) {
        step.hca().usage().deregistering(memory);
        context().remove(step.hca(), this);
      }
    }
  }

  @Override
  public void release(Hca hca) {
    hca.registrations().deregister(memory);
    hca.engine().giveMemoryBack();
    pd.lifecycle().removeUser();
  }
}
