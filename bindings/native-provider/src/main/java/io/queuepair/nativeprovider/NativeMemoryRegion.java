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

  NativeMemoryRegion(NativeProtectionDomain pd, long address, ByteBuffer bytes, long addr) {
    super(pd.context(), address);
    this.pd = pd;
    this.bytes = bytes;
    this.addr = addr;
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
    return bytes == null
        ? (int) RawMemory.getLong(address() + VerbsAbi.offset("ibv_mr.length"))
        : bytes.capacity();
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

  @Override
  public Sge sge() {
    return new Sge(addr, length(), lkey());
  }

  @Override
  public Sge sge(int offset, int length) {
    if (bytes == null) {
      Objects.checkFromIndexSize(offset, length, Integer.MAX_VALUE);
    } else {
      Objects.checkFromIndexSize(offset, length, bytes.capacity());
    }
    return new Sge(addr + offset, length, lkey());
  }

  @Override
  public void rereg(ReregMr change) {
    boolean isMoved = change.flags().contains(ReregMrFlag.CHANGE_TRANSLATION);
    if (isMoved && (change.buffer() == null || !change.buffer().isDirect())) {
      throw new ReregMrException(
          ReregMrErrCode.INPUT, Errno.EINVAL, "there is no direct buffer to register");
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
            addressOrNull(change.pd(), "ibv_rereg_mr"),
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
    }
    if (change.flags().contains(ReregMrFlag.CHANGE_PD)) {
      pd = of(change.pd(), NativeProtectionDomain.class, "ibv_rereg_mr");
    }
  }

  @Override
  void destroy(long address) {
    Libibverbs.DEREG_MR.status(address);
  }
}
