package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.Place;
import io.queuepair.verbs.Buf;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;

/** Memory of the device's choice: plain direct memory with an address of its own. */
final class EmulatedBuf implements Buf, Owned {
  private final EmulatedProtectionDomain pd;
  private final Place place;
  private final Lifetime lifetime = new Lifetime("buffer");

  EmulatedBuf(EmulatedProtectionDomain pd, Place place) {
    this.pd = pd;
    this.place = place;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public long addr() {
    return place.addr();
  }

  @Override
  public int length() {
    return place.bytes().capacity();
  }

  @Override
  public ByteBuffer bytes() {
    return place.bytes().duplicate();
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public int exportDmabufFd() {
    throw new VerbsException(
        Errno.ENODATA, "ibv_export_buf_dmabuf_fd", "the buffer is plain memory, not a dma-buf");
  }

  @Override
  public String toString() {
    return pd.emulatedContext().describe(this, "buffer", length() + " bytes");
  }

  @Override
  public void close() {
    pd.emulatedContext().destroy("ibv_free_buf", this);
  }

  @Override
  public void release(Hca hca) {
    pd.lifetime().removeUser();
  }
}
