// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.RegMrRequest;
import io.queuepair.emulator.memory.MappedBuffer;
import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates memory regions: their memory, and the objects that must exist as long as they do. */
final class MrFactory {
  private final OwningDomain pd;
  private final OwningContext context;

  public MrFactory(OwningDomain pd) {
    this.pd = pd;
    context = pd.emulatedContext();
  }

  /** A part of a buffer that was allocated, to be checked. */
  public record BufferRange(@Nullable DmaBuffer buf, long offset, long length) {}

  /** Of memory of the application. */
  public MemoryRegion make(RegMrRequest registration) {
    return make(registration, null);
  }

  /** Of memory of the application that may be longer than a buffer. */
  public MemoryRegion make(String verb, MappedHostMemory memory, Set<AccessFlag> access) {
    RegisteredMemory registered =
        register(
            verb, null, hca -> hca.registrations().register(pd.number(), verb, memory, access));
    return context.adopt(new EmulatedMemoryRegion(pd, registered, null, ByteOrder.nativeOrder()));
  }

  /** Of a buffer that was allocated. */
  public MemoryRegion make(BufferRange part, Set<AccessFlag> access) {
    return make(registration("ibv_reg_buf_mr", part, access));
  }

  /** As attributes say. */
  public MemoryRegion make(MrInitAttr attr) {
    String verb = "ibv_reg_mr_ex";
    checkSource(verb, attr.compMask());
    RegMrRequest registration =
        attr.compMask().contains(MrInitAttrMask.BUF)
            ? registration(
                verb, new BufferRange(attr.buf(), attr.offset(), attr.length()), attr.access())
            : RegMrRequest.of(verb, attr.addr(), attr.access());
    boolean isPlaced = attr.compMask().contains(MrInitAttrMask.IOVA);
    return make(isPlaced ? registration.at(attr.iova()) : registration);
  }

  private static void checkSource(String verb, Set<MrInitAttrMask> mask) {
    boolean isFile = mask.contains(MrInitAttrMask.FD);
    int sources = 0;
    for (MrInitAttrMask bit : Set.of(MrInitAttrMask.ADDR, MrInitAttrMask.BUF, MrInitAttrMask.FD)) {
      sources += mask.contains(bit) ? 1 : 0;
    }
    if (sources != 1) {
      throw new VerbsException(
          Errno.EINVAL, verb, sources + " of ADDR, BUF and FD are given, not one");
    }
    if (isFile != mask.contains(MrInitAttrMask.FD_OFFSET)
        || (isFile && !mask.contains(MrInitAttrMask.IOVA))) {
      throw new VerbsException(Errno.EINVAL, verb, "FD, FD_OFFSET and IOVA belong together");
    }
    if (isFile || mask.contains(MrInitAttrMask.DMAH)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          verb,
          (isFile ? "a dma-buf (FD)" : "a DMA handle (DMAH)") + " is not offered");
    }
  }

  private RegMrRequest registration(String verb, BufferRange part, Set<AccessFlag> access) {
    if (!(part.buf instanceof EmulatedDmaBuffer own) || own.pd() != pd) {
      throw new VerbsException(Errno.EINVAL, verb, "the buffer was allocated on another domain");
    }
    context
        .driver()
        .call(
            hca -> {
              own.lifecycle().check(verb);
              return this;
            });
    ByteBuffer bytes = range(verb, own.bytes(), part.offset, part.length);
    RegMrRequest registration = RegMrRequest.of(verb, bytes, access);
    return access.contains(AccessFlag.ZERO_BASED)
        ? registration
        : registration.at(own.addr() + part.offset);
  }

  /** Some of the bytes, as a buffer whose position is where they begin. */
  private static ByteBuffer range(String verb, ByteBuffer bytes, long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes.capacity() - length) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          length + " bytes from " + offset + " on are not in the " + bytes.capacity());
    }
    return bytes.duplicate().limit((int) (offset + length)).position((int) offset);
  }

  /** Of memory of the device. */
  public MemoryRegion make(DeviceMemory dm, long offset, long length, Set<AccessFlag> access) {
    String verb = "ibv_reg_dm_mr";
    if (!(dm instanceof EmulatedDeviceMemory own) || own.context() != context) {
      throw new VerbsException(Errno.EINVAL, verb, "the memory belongs to another context");
    }
    if (!access.contains(AccessFlag.ZERO_BASED)) {
      throw new VerbsException(Errno.EINVAL, verb, "device memory needs ZERO_BASED");
    }
    return make(
        RegMrRequest.of(verb, range(verb, own.bytes(), offset, length), access), own.lifecycle());
  }

  /** Of nothing. */
  public MemoryRegion makeNull() {
    RegisteredMemory memory =
        register("ibv_alloc_null_mr", null, hca -> hca.registrations().registerNullMr(pd.number()));
    return context.adopt(new EmulatedMemoryRegion(pd, memory, null, ByteOrder.BIG_ENDIAN));
  }

  private MemoryRegion make(RegMrRequest registration, @Nullable ObjectLifecycle source) {
    RegisteredMemory memory =
        register(
            registration.verb(),
            source,
            hca -> hca.registrations().register(pd.number(), registration));
    ByteOrder order = registration.buffer().order();
    return context.adopt(new EmulatedMemoryRegion(pd, memory, source, order));
  }

  private RegisteredMemory register(
      String verb, @Nullable ObjectLifecycle source, Function<Hca, RegisteredMemory> register) {
    return context
        .driver()
        .call(
            hca -> {
              pd.lifecycle().check(verb);
              if (source != null) {
                source.check(verb);
              }
              RegisteredMemory made = register.apply(hca);
              pd.lifecycle().addUser();
              if (source != null) {
                source.addUser();
              }
              return made;
            });
  }

  /** Memory of the device's choice. */
  public DmaBuffer allocate(long length) {
    MappedBuffer place =
        context
            .driver()
            .call(
                hca -> {
                  pd.lifecycle().check("ibv_alloc_buf");
                  MappedBuffer taken = hca.registrations().allocate(length);
                  pd.lifecycle().addUser();
                  return taken;
                });
    return context.adopt(new EmulatedDmaBuffer(pd, place));
  }
}
