// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Device memory, and the number of regions that use it. */
final class EmulatedDeviceMemory implements DeviceMemory, ContextObject {
  private static final String TO = "ibv_memcpy_to_dm";
  private static final String FROM = "ibv_memcpy_from_dm";

  /** What offsets and lengths of copies are multiples of. */
  private static final int COPY_UNIT = 4;

  private final OwningContext context;
  private final ByteBuffer bytes;
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("device memory");

  public EmulatedDeviceMemory(OwningContext context, ByteBuffer bytes) {
    this.context = context;
    this.bytes = bytes;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public long length() {
    return bytes.capacity();
  }

  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public void copyTo(long dmOffset, ByteBuffer source) {
    Objects.requireNonNull(source, "source");
    context.driver().beginVerb(TO);
    Payload copied = new Payload(source, source.position(), source.remaining());
    context
        .driver()
        .call(
            hca -> {
              checkCopy(TO, dmOffset, copied.length());
              copied.copyTo(bytes, (int) dmOffset);
              return this;
            });
  }

  @Override
  public void copyFrom(ByteBuffer target, long dmOffset) {
    Objects.requireNonNull(target, "target");
    context.driver().beginVerb(FROM);
    if (target.isReadOnly()) {
      throw new VerbsException(Errno.EFAULT, FROM, "the buffer is read-only");
    }
    context
        .driver()
        .call(
            hca -> {
              checkCopy(FROM, dmOffset, target.remaining());
              new Payload(bytes, (int) dmOffset, target.remaining())
                  .copyTo(target, target.position());
              return this;
            });
  }

  private void checkCopy(String verb, long offset, int length) {
    lifecycle.check(verb);
    if (offset < 0 || offset > bytes.capacity() - length) {
      throw new VerbsException(
          Errno.EFAULT,
          verb,
          length
              + " bytes from "
              + offset
              + " on are not in the "
              + bytes.capacity()
              + " there are");
    }
    if (offset % COPY_UNIT != 0 || length % COPY_UNIT != 0) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "offset " + offset + " or length " + length + " is no multiple of " + COPY_UNIT);
    }
  }

  @Override
  public String toString() {
    return context.describe(this, "device memory", bytes.capacity() + " bytes");
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_free_dm");
    context.destroy("ibv_free_dm", this);
  }

  @Override
  public void release(Hca hca) {
    hca.deviceMemories().free(bytes);
  }
}
