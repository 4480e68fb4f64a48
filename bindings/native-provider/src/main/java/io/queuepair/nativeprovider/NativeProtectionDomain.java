// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A protection domain, or a parent domain. */
final class NativeProtectionDomain extends NativeObject implements ProtectionDomain {
  private static final String REG_MR = "ibv_reg_mr";
  private static final String REG_MR_EX = "ibv_reg_mr_ex";

  /** Rights from here on are passed by newer functions only. */
  private static final int FIRST_OPTIONAL_ACCESS = 1 << 20;

  /** Whether it is the default of the connection manager, which keeps it. */
  private final boolean isShared;

  /** Of the driver's choice that are not freed, which the library does not count. */
  private final AtomicInteger buffers = new AtomicInteger();

  NativeProtectionDomain(NativeContext context, long address) {
    this(context, address, false);
  }

  private NativeProtectionDomain(NativeContext context, long address, boolean isShared) {
    super(context, address);
    this.isShared = isShared;
  }

  /** The default of a device of the connection manager: it cannot be closed. */
  static NativeProtectionDomain shared(NativeContext context, long address) {
    return new NativeProtectionDomain(context, address, true);
  }

  @Override
  public MemoryRegion regMr(ByteBuffer buffer, Set<AccessFlag> access) {
    MemorySegment memory = memoryOf(buffer, access, REG_MR);
    int rights = VerbsConstant.mask(access);
    long bytes = memory.address();
    long mr =
        rights < FIRST_OPTIONAL_ACCESS
            ? Libibverbs.REG_MR.pointer(address(), bytes, memory.byteSize(), rights)
            : registerAt(memory, bytes, rights);
    return keep(mr, buffer, access.contains(AccessFlag.ZERO_BASED) ? 0 : bytes);
  }

  @Override
  public MemoryRegion regMrIova(ByteBuffer buffer, long iova, Set<AccessFlag> access) {
    MemorySegment memory = memoryOf(buffer, access, "ibv_reg_mr_iova");
    return keep(registerAt(memory, iova, VerbsConstant.mask(access)), buffer, iova);
  }

  private long registerAt(MemorySegment memory, long iova, int rights) {
    return Libibverbs.REG_MR_IOVA2.pointer(
        address(), memory.address(), memory.byteSize(), iova, rights);
  }

  private NativeMemoryRegion keep(long mr, ByteBuffer buffer, long iova) {
    return context()
        .keep(new NativeMemoryRegion(this, mr, buffer.slice().order(buffer.order()), iova));
  }

  /** Memory that the device is to reach: bytes from the position to the limit. */
  static MemorySegment memoryOf(ByteBuffer buffer, Set<AccessFlag> access, String verb) {
    if (buffer == null) {
      Errno errno = access.contains(AccessFlag.ON_DEMAND) ? Errno.EOPNOTSUPP : Errno.EFAULT;
      throw new VerbsException(errno, verb, "there is no buffer");
    }
    if (!buffer.isDirect()) {
      throw new VerbsException(Errno.EINVAL, verb, "the buffer is not direct");
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      throw new VerbsException(Errno.EFAULT, verb, "LOCAL_WRITE to a buffer that is read-only");
    }
    MemorySegment memory = MemorySegment.ofBuffer(buffer);
    if (!memory.scope().isAlive()) {
      throw new VerbsException(Errno.EFAULT, verb, "the memory of the buffer was freed");
    }
    return memory;
  }

  @Override
  public MemoryRegion regMrEx(MrInitAttr attr) {
    Set<MrInitAttrMask> mask = attr.compMask();
    checkSource(mask);
    if (mask.equals(Set.of(MrInitAttrMask.ADDR))) {
      return regMr(attr.addr(), attr.access());
    }
    if (mask.equals(Set.of(MrInitAttrMask.ADDR, MrInitAttrMask.IOVA))) {
      return regMrIova(attr.addr(), attr.iova(), attr.access());
    }
    if (mask.equals(Set.of(MrInitAttrMask.BUF))) {
      return regBufMr(attr.buf(), attr.offset(), attr.length(), attr.access());
    }
    throw new VerbsException(
        Errno.EOPNOTSUPP, REG_MR_EX, "there is no function for " + mask + " together");
  }

  private static void checkSource(Set<MrInitAttrMask> mask) {
    long sources =
        Stream.of(MrInitAttrMask.ADDR, MrInitAttrMask.BUF, MrInitAttrMask.FD)
            .filter(mask::contains)
            .count();
    boolean isFile = mask.contains(MrInitAttrMask.FD);
    boolean isPlaced = mask.contains(MrInitAttrMask.IOVA);
    if (sources != 1
        || isFile != mask.contains(MrInitAttrMask.FD_OFFSET)
        || (isFile && !isPlaced)) {
      throw new VerbsException(
          Errno.EINVAL, REG_MR_EX, mask + " is not ADDR, BUF, or FD with FD_OFFSET and IOVA");
    }
  }

  @Override
  public DmaBuffer allocBuf(long length) {
    return NativeDmaBuffer.allocate(this, length);
  }

  @Override
  public MemoryRegion regBufMr(DmaBuffer buf, long offset, long length, Set<AccessFlag> access) {
    return of(buf, NativeDmaBuffer.class, "ibv_reg_buf_mr").register(this, offset, length, access);
  }

  void addBuffer() {
    buffers.incrementAndGet();
  }

  void removeBuffer() {
    buffers.decrementAndGet();
  }

  @Override
  public MemoryRegion regDmMr(DeviceMemory dm, long offset, long length, Set<AccessFlag> access) {
    String verb = "ibv_reg_dm_mr";
    long memory = addressOf(dm, verb);
    if (offset < 0 || length < 0 || offset > dm.length() - length) {
      throw new VerbsException(
          Errno.EINVAL, verb, length + " bytes from " + offset + " on are not inside");
    }
    int rights = VerbsConstant.mask(access);
    long mr = context().functions().regDmMr.pointer(address(), memory, offset, length, rights);
    return context().keep(new NativeMemoryRegion(this, mr, length));
  }

  @Override
  public MemoryRegion allocNullMr() {
    long mr = context().functions().allocNullMr.pointer(address());
    return context().keep(new NativeMemoryRegion(this, mr, 0));
  }

  @Override
  public void adviseMr(AdviseMrAdvice advice, Set<AdviseMrFlag> flags, List<Sge> sgList) {
    try (Arena arena = Arena.ofConfined()) {
      long list = RawMemory.allocate(arena, Math.max(1, (long) sgList.size() * SgeList.SIZE));
      SgeList.write(list, sgList);
      int bits = VerbsConstant.mask(flags);
      ControlFunction advise = context().functions().adviseMr;
      advise.status(address(), advice.code(), bits, list, sgList.size());
    }
  }

  @Override
  public MemoryWindow allocMw(MwType type) {
    long mw = context().functions().allocMw.pointer(address(), type.code());
    return context().keep(new NativeMemoryWindow(this, mw, type));
  }

  @Override
  public QueuePair createQp(QpInitAttr attr) {
    return QueuePairCreation.create(this, Objects.requireNonNull(attr, "attr"));
  }

  @Override
  public ExtendedQueuePair createQpEx(QpInitAttrEx attr) {
    return QueuePairCreation.createExtended(this, Objects.requireNonNull(attr, "attr"));
  }

  @Override
  public AddressHandle createAh(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Arena arena = Arena.ofConfined()) {
      long vector = RawMemory.allocate(arena, AddressVectors.SIZE);
      AddressVectors.check(attr, "ibv_create_ah");
      AddressVectors.write(vector, attr);
      long ah = Libibverbs.CREATE_AH.pointer(address(), vector);
      return context().keep(new NativeAddressHandle(this, ah, attr));
    }
  }

  @Override
  public SharedReceiveQueue createSrq(SrqAttr attr) {
    return NativeSharedReceiveQueue.create(this, Objects.requireNonNull(attr, "attr"));
  }

  @Override
  void destroy(long address) {
    if (isShared) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_dealloc_pd", "the connection manager keeps its default domain");
    }
    if (buffers.get() > 0) {
      throw new VerbsException(
          Errno.EBUSY, "ibv_dealloc_pd", buffers + " buffers of the domain are not freed");
    }
    Libibverbs.DEALLOC_PD.status(address);
  }
}
