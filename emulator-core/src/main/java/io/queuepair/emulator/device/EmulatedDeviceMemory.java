// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Device memory of a context. It cannot be freed while a memory region uses it. */
final class EmulatedDeviceMemory extends ContextObject implements DeviceMemory {
  /** Divisor of the offsets and lengths of copies, in bytes. */
  private static final int COPY_UNIT = 4;

  private final ByteBuffer bytes;

  public EmulatedDeviceMemory(EmulatedContext context, ByteBuffer bytes) {
    super(context, "device memory", List.of());
    this.bytes = bytes;
  }

  @Override
  public long length() {
    return bytes.capacity();
  }

  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void copyTo(long dmOffset, ByteBuffer source) {
    Objects.requireNonNull(source, "source");
    try (Step step = driver().call("ibv_memcpy_to_dm")) {
      Payload payload = new Payload(source, source.position(), source.remaining());
      checkCopy(step, dmOffset, payload.length());
      payload.copyTo(bytes, (int) dmOffset);
    }
  }

  @Override
  public void copyFrom(ByteBuffer target, long dmOffset) {
    Objects.requireNonNull(target, "target");
    try (Step step = driver().call("ibv_memcpy_from_dm")) {
      if (target.isReadOnly()) {
        throw step.refusal(Errno.EFAULT, "the buffer is read-only");
      }
      checkCopy(step, dmOffset, target.remaining());
      new Payload(bytes, (int) dmOffset, target.remaining()).copyTo(target, target.position());
    }
  }

  private void checkCopy(Step step, long offset, int length) {
    step.check(lifecycle());
    if (offset < 0 || offset > bytes.capacity() - length) {
      throw step.refusal(
          Errno.EFAULT,
          length
              + " bytes from "
              + offset
              + " on are not in the "
              + bytes.capacity()
              + " there are");
    }
    if (offset % COPY_UNIT != 0 || length % COPY_UNIT != 0) {
      throw step.refusal(
          Errno.EINVAL,
          "offset " + offset + " or length " + length + " is no multiple of " + COPY_UNIT);
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "device memory", bytes.capacity() + " bytes");
  }

  @Override
  public void close() {
    context().destroy("ibv_free_dm", this);
  }

  @Override
  public void release(Hca hca) {
    hca.deviceMemories().free(bytes);
  }
}
