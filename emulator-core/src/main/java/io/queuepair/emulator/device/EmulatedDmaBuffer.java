// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.memory.MappedBuffer;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;

/** A buffer allocated by the device: direct memory with an address. */
final class EmulatedDmaBuffer extends ContextObject implements DmaBuffer {
  private final EmulatedProtectionDomain pd;
  private final MappedBuffer mappedBuffer;

  EmulatedDmaBuffer(EmulatedProtectionDomain pd, MappedBuffer mappedBuffer) {
    super(pd.context(), "buffer", List.of(pd.lifecycle()));
    this.pd = pd;
    this.mappedBuffer = mappedBuffer;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public long addr() {
    return mappedBuffer.addr();
  }

  @Override
  public int length() {
    return mappedBuffer.bytes().capacity();
  }

  @Override
  public ByteBuffer bytes() {
    return mappedBuffer.bytes().duplicate();
  }

  @Override
  public int exportDmabufFd() {
    throw new VerbsException(
        Errno.ENODATA, "ibv_export_buf_dmabuf_fd", "the buffer is plain memory, not a dma-buf");
  }

  @Override
  public String toString() {
    return context().describe(this, "buffer", length() + " bytes");
  }

  @Override
  public void close() {
    context().end("ibv_free_buf", this);
  }
}
