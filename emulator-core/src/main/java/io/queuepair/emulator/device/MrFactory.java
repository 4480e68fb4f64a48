// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.RegMrRequest;
import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates memory regions: their memory, and the objects that must exist as long as they do. */
final class MrFactory {
  private final EmulatedProtectionDomain pd;
  private final EmulatedContext context;

  private final Step step;

  MrFactory(EmulatedProtectionDomain pd, Step step) {
    this.pd = pd;
    this.step = step;
    context = pd.context();
  }

  public record BufferRange(@Nullable DmaBuffer buf, long offset, long length) {}

  public MemoryRegion make(RegMrRequest registration) {
    return make(registration, null);
  }

  /** Creates a region of application memory that may be longer than a buffer. */
  public MemoryRegion make(MappedHostMemory memory, Set<AccessFlag> access) {
    step.check(pd.lifecycle());
    RegisteredMemory registered =
        step.hca().registrations().register(pd.number(), step.verb(), memory, access);
    return adopt(registered, null, ByteOrder.nativeOrder());
  }

  public MemoryRegion make(BufferRange range, Set<AccessFlag> access) {
    return make(registration(range, access));
  }

  /** Creates a region as its attributes say ({@code ibv_reg_mr_ex}). */
  public MemoryRegion make(MrInitAttr attr) {
    checkSource(attr.compMask());
    RegMrRequest registration =
        attr.compMask().contains(MrInitAttrMask.BUF)
            ? registration(new BufferRange(attr.buf(), attr.offset(), attr.length()), attr.access())
            : RegMrRequest.of(step.verb(), attr.addr(), attr.access());
    boolean isPlaced = attr.compMask().contains(MrInitAttrMask.IOVA);
    return make(isPlaced ? registration.at(attr.iova()) : registration);
  }

  private void checkSource(Set<MrInitAttrMask> mask) {
    boolean isFile = mask.contains(MrInitAttrMask.FD);
    int sources = 0;
    for (MrInitAttrMask maskBit :
        Set.of(MrInitAttrMask.ADDR, MrInitAttrMask.BUF, MrInitAttrMask.FD)) {
      sources += mask.contains(maskBit) ? 1 : 0;
    }
    if (sources != 1) {
      throw step.refusal(Errno.EINVAL, sources + " of ADDR, BUF and FD are given, not one");
    }
    if (isFile != mask.contains(MrInitAttrMask.FD_OFFSET)
        || (isFile && !mask.contains(MrInitAttrMask.IOVA))) {
      throw step.refusal(Errno.EINVAL, "FD, FD_OFFSET and IOVA belong together");
    }
    if (isFile || mask.contains(MrInitAttrMask.DMAH)) {
      throw step.refusal(
          Errno.EOPNOTSUPP,
          (isFile ? "a dma-buf (FD)" : "a DMA handle (DMAH)") + " is not offered");
    }
  }

  private RegMrRequest registration(BufferRange range, Set<AccessFlag> access) {
    if (!(range.buf instanceof EmulatedDmaBuffer dmaBuffer) || dmaBuffer.pd() != pd) {
      throw step.refusal(Errno.EINVAL, "the buffer was allocated on another domain");
    }
    step.check(dmaBuffer.lifecycle());
    ByteBuffer bytes = range(dmaBuffer.bytes(), range.offset, range.length);
    RegMrRequest registration = RegMrRequest.of(step.verb(), bytes, access);
    return access.contains(AccessFlag.ZERO_BASED)
        ? registration
        : registration.at(dmaBuffer.addr() + range.offset);
  }

  /** Range of bytes, as a buffer whose position is the start of the range. */
  private ByteBuffer range(ByteBuffer bytes, long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes.capacity() - length) {
      throw step.refusal(
          Errno.EINVAL,
          length + " bytes from " + offset + " on are not in the " + bytes.capacity());
    }
    return bytes.duplicate().limit((int) (offset + length)).position((int) offset);
  }

  public MemoryRegion make(DeviceMemory dm, long offset, long length, Set<AccessFlag> access) {
    if (!(dm instanceof EmulatedDeviceMemory deviceMemory) || deviceMemory.context() != context) {
      throw step.refusal(Errno.EINVAL, "the memory belongs to another context");
    }
    if (!access.contains(AccessFlag.ZERO_BASED)) {
      throw step.refusal(Errno.EINVAL, "device memory needs ZERO_BASED");
    }
    return make(
        RegMrRequest.of(step.verb(), range(deviceMemory.bytes(), offset, length), access),
        deviceMemory.lifecycle());
  }

  /** Creates a null region ({@code ibv_alloc_null_mr}). */
  public MemoryRegion makeNull() {
    step.check(pd.lifecycle());
    RegisteredMemory memory = step.hca().registrations().registerNullMr(step.verb(), pd.number());
    return adopt(memory, null, ByteOrder.BIG_ENDIAN);
  }

  private MemoryRegion make(RegMrRequest registration, @Nullable ObjectLifecycle sourceLifecycle) {
    step.check(pd.lifecycle());
    if (sourceLifecycle != null) {
      step.check(sourceLifecycle);
    }
    RegisteredMemory memory = step.hca().registrations().register(pd.number(), registration);
    return adopt(memory, sourceLifecycle, registration.buffer().order());
  }

  private MemoryRegion adopt(
      RegisteredMemory memory, @Nullable ObjectLifecycle sourceLifecycle, ByteOrder order) {
    pd.lifecycle().addUser();
    return context.adopt(step, new EmulatedMemoryRegion(pd, memory, sourceLifecycle, order));
  }
}
