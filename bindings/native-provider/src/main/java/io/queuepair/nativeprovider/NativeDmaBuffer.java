// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Memory that the driver chose ({@code struct ibv_buf}). Regions that were made of it keep it: the
 * library frees it with the last of them.
 */
final class NativeDmaBuffer extends NativeObject implements DmaBuffer {
  private static final String ALLOC = "ibv_alloc_buf";

  private final NativeProtectionDomain pd;
  private final MemorySegment memory;

  /** Ended when the memory is freed: who has a buffer of it still is refused by the JVM. */
  private final Arena lifetime;

  /** Regions made of it, and one more while it is open. */
  private int users = 1;

  private NativeDmaBuffer(
      NativeProtectionDomain pd, long buf, MemorySegment memory, Arena lifetime) {
    super(pd.context(), buf);
    this.pd = pd;
    this.memory = memory;
    this.lifetime = lifetime;
  }

  @SuppressWarnings("restricted") // A buffer that C has allocated.
  static NativeDmaBuffer allocate(NativeProtectionDomain pd, long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw new VerbsException(Errno.EINVAL, ALLOC, length + " bytes are not 1 to 2^31-1");
    }
    try (Arena arena = Arena.ofConfined()) {
      long buf = RawMemory.allocate(arena, Long.BYTES);
      long address = Libibverbs.ALLOC_BUF.pointer(pd.address(), length, buf);
      Arena lifetime = Arena.ofShared();
      MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(length, lifetime, null);
      memory.fill((byte) 0);
      pd.addBuffer();
      return pd.context().keep(new NativeDmaBuffer(pd, RawMemory.getLong(buf), memory, lifetime));
    }
  }

  /** Registers a part; its addresses are those of the process. */
  MemoryRegion register(
      NativeProtectionDomain by, long offset, long length, Set<AccessFlag> access) {
    String verb = "ibv_reg_buf_mr";
    if (by != pd) {
      throw new VerbsException(Errno.EINVAL, verb, "the buffer was allocated on another domain");
    }
    if (offset < 0 || length < 0 || length > memory.byteSize() - offset) {
      throw new VerbsException(
          Errno.EINVAL, verb, length + " bytes from " + offset + " on are not inside");
    }
    MemorySegment part = memory.asSlice(offset, length);
    int rights = VerbsConstant.mask(access);
    enter();
    NativeMemoryRegion region = null;
    try {
      long mr =
          Libibverbs.REG_BUF_MR.pointer(pd.address(), address(), part.address(), length, rights);
      long first = access.contains(AccessFlag.ZERO_BASED) ? 0 : part.address();
      region = pd.context().keep(new NativeMemoryRegion(pd, mr, part.asByteBuffer(), first));
      region.whenClosed(this::leave);
      return region;
    } finally {
      if (region == null) {
        leave();
      }
    }
  }

  private synchronized void enter() {
    users++;
  }

  private synchronized void leave() {
    users--;
    if (users == 0) {
      lifetime.close();
      Libibverbs.FREE_BUF.value(identity());
      pd.removeBuffer();
    }
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public long addr() {
    return memory.address();
  }

  @Override
  public int length() {
    return (int) memory.byteSize();
  }

  @Override
  public ByteBuffer bytes() {
    address();
    return memory.asByteBuffer();
  }

  @Override
  public int exportDmabufFd() {
    long fd = Libibverbs.EXPORT_BUF_DMABUF_FD.value(address());
    if (fd < 0) {
      throw Libibverbs.EXPORT_BUF_DMABUF_FD.refusal(ControlFunction.lastErrno());
    }
    return (int) fd;
  }

  @Override
  void destroy(long address) {
    leave();
  }
}
