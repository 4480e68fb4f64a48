// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Registered memory. It holds on to the buffer, whose memory the device reaches. */
final class NativeMemoryRegion extends NativeObject implements MemoryRegion {
  private static final int LKEY = VerbsAbi.offset("ibv_mr.lkey");
  private static final int RKEY = VerbsAbi.offset("ibv_mr.rkey");

  private volatile NativeProtectionDomain pd;

  /** Null if the memory is not the host's. */
  private volatile ByteBuffer bytes;

  private volatile long addr;

  /** Where the bytes are in the process, which need not be their address. */
  private volatile long host;

  /** Bytes of memory that is not the host's; 0 of a region that reads zeros, which has no end. */
  private final long bytesOfDevice;

  NativeMemoryRegion(NativeProtectionDomain pd, long address, ByteBuffer bytes, long addr) {
    super(pd.context(), address);
    this.pd = pd;
    this.bytes = bytes;
    this.addr = addr;
    host = MemorySegment.ofBuffer(bytes).address();
    bytesOfDevice = 0;
  }

  /** A region of device memory, whose addresses begin at 0; without bytes one that reads zeros. */
  NativeMemoryRegion(NativeProtectionDomain pd, long address, long bytesOfDevice) {
    super(pd.context(), address);
    this.pd = pd;
    this.bytesOfDevice = bytesOfDevice;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public long addr() {
    return addr;
  }

  @Override
  public int length() {
    ByteBuffer memory = bytes;
    return memory == null ? (int) Math.min(bytesOfDevice, Integer.MAX_VALUE) : memory.capacity();
  }

  @Override
  public int lkey() {
    return RawMemory.getInt(address() + LKEY);
  }

  @Override
  public int rkey() {
    return RawMemory.getInt(address() + RKEY);
  }

  @Override
  public ByteBuffer buffer() {
    ByteBuffer memory = bytes;
    if (memory == null) {
      throw new UnsupportedOperationException("the memory is not the host's");
    }
    return memory.duplicate().clear().order(memory.order());
  }

  /** Whether it is memory of the process, and has all bytes of an entry. */
  boolean has(Sge entry) {
    ByteBuffer memory = bytes;
    long offset = entry.addr() - addr;
    return !isClosed()
        && memory != null
        && offset >= 0
        && entry.length() >= 0
        && offset <= memory.capacity() - entry.length();
  }

  /** Where the bytes of an entry are in the process. */
  long hostAddress(Sge entry) {
    return host + (entry.addr() - addr);
  }

  @Override
  public Sge sge() {
    return new Sge(addr, length(), lkey());
  }

  @Override
  public Sge sge(int offset, int length) {
    boolean isEndless = bytes == null && bytesOfDevice == 0;
    Objects.checkFromIndexSize(offset, length, isEndless ? Integer.MAX_VALUE : length());
    return new Sge(addr + offset, length, lkey());
  }

  @Override
  public void rereg(ReregMr change) {
    boolean isMoved = change.flags().contains(ReregMrFlag.CHANGE_TRANSLATION);
    if (isMoved && (change.buffer() == null || !change.buffer().isDirect())) {
      throw new ReregMrException(
          ReregMrErrCode.INPUT, Errno.EINVAL, "there is no direct buffer to register");
    }
    boolean isGiven = change.flags().contains(ReregMrFlag.CHANGE_PD);
    if (isGiven && (change.pd() == null || change.pd().context() != context())) {
      throw new ReregMrException(
          ReregMrErrCode.CMD, Errno.EINVAL, "the domain is missing, or of another context");
    }
    MemorySegment memory = isMoved ? MemorySegment.ofBuffer(change.buffer()) : MemorySegment.NULL;
    if (change.iova().isPresent() && change.iova().getAsLong() != memory.address()) {
      throw new ReregMrException(
          ReregMrErrCode.CMD, Errno.EOPNOTSUPP, "libibverbs has no new address for a region");
    }
    long status =
        Libibverbs.REREG_MR.value(
            address(),
            VerbsConstant.mask(change.flags()),
            isGiven ? addressOf(change.pd(), "ibv_rereg_mr") : 0L,
            memory.address(),
            memory.byteSize(),
            VerbsConstant.mask(change.access()));
    if (status != 0) {
      ReregMrErrCode code =
          VerbsConstant.of(ReregMrErrCode.class, (int) status).orElse(ReregMrErrCode.CMD);
      int errno = ControlFunction.lastErrno();
      throw new ReregMrException(code, ControlFunction.errno(errno), "errno " + errno);
    }
    if (isMoved) {
      bytes = change.buffer().slice().order(change.buffer().order());
      addr = memory.address();
      host = addr;
    }
    if (isGiven) {
      pd = of(change.pd(), NativeProtectionDomain.class, "ibv_rereg_mr");
    }
  }

  @Override
  void destroy(long address) {
    Libibverbs.DEREG_MR.status(address);
  }
}
