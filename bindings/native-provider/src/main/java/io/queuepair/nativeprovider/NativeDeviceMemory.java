// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** Memory on the device. */
final class NativeDeviceMemory extends NativeObject implements DeviceMemory {
  private static final int LOG_ALIGN = VerbsAbi.offset("ibv_alloc_dm_attr.log_align_req");

  private final long length;
  private final ControlFunction copyTo;
  private final ControlFunction copyFrom;

  private NativeDeviceMemory(NativeContext context, long address, long length) {
    super(context, address);
    this.length = length;
    long to = RawMemory.getLong(address + VerbsAbi.offset("ibv_dm.memcpy_to_dm"));
    long from = RawMemory.getLong(address + VerbsAbi.offset("ibv_dm.memcpy_from_dm"));
    copyTo = ControlFunction.at(to, "ibv_memcpy_to_dm", "IJJJJ");
    copyFrom = ControlFunction.at(from, "ibv_memcpy_from_dm", "IJJJJ");
  }

  static NativeDeviceMemory allocate(NativeContext context, AllocDmAttr attr) {
    if (attr.length() < 1 || attr.logAlignReq() < 0) {
      throw new VerbsException(Errno.EINVAL, "ibv_alloc_dm", attr + " is out of range");
    }
    try (Arena arena = Arena.ofConfined()) {
      long request = RawMemory.allocate(arena, VerbsAbi.size("ibv_alloc_dm_attr"));
      RawMemory.putLong(request, attr.length());
      RawMemory.putInt(request + LOG_ALIGN, attr.logAlignReq());
      long dm = context.functions().allocDm.pointer(context.address(), request);
      return context.keep(new NativeDeviceMemory(context, dm, attr.length()));
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void copyTo(long dmOffset, ByteBuffer source) {
    int bytes = source.remaining();
    check(dmOffset, bytes, "ibv_memcpy_to_dm");
    try (Arena arena = Arena.ofConfined()) {
      long copy = RawMemory.allocate(arena, Math.max(1, bytes));
      RawMemory.putBytes(copy, source);
      copyTo.status(address(), dmOffset, copy, (long) bytes);
    }
  }

  @Override
  public void copyFrom(ByteBuffer target, long dmOffset) {
    int bytes = target.remaining();
    check(dmOffset, bytes, "ibv_memcpy_from_dm");
    try (Arena arena = Arena.ofConfined()) {
      long copy = RawMemory.allocate(arena, Math.max(1, bytes));
      copyFrom.status(copy, address(), dmOffset, (long) bytes);
      RawMemory.getBytes(copy, target);
    }
  }

  private void check(long offset, int bytes, String verb) {
    if (offset < 0 || offset > length - bytes) {
      throw new VerbsException(
          Errno.EFAULT, verb, bytes + " bytes at " + offset + " do not fit into " + length);
    }
  }

  @Override
  void destroy(long address) {
    context().functions().freeDm.status(address);
  }
}
