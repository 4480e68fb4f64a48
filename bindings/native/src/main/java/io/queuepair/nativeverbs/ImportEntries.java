// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;

/**
 * Calls of C that import objects. The lower half of a handle, the number that C shows, identifies
 * an object in its file.
 */
final class ImportEntries {
  private ImportEntries() {}

  static long importPd(long context, ByteBuffer args) {
    return handleOf(args, ProtectionDomain.class);
  }

  static long importMr(long context, ByteBuffer args) {
    long handle = handleOf(args, MemoryRegion.class);
    MemoryRegion region = Handles.get(handle, MemoryRegion.class);
    Args.setSlot(args, 0, region.lkey());
    Args.setSlot(args, 1, region.rkey());
    Args.setSlot(args, 2, region.size());
    return handle;
  }

  static long importDm(long context, ByteBuffer args) {
    return handleOf(args, DeviceMemory.class);
  }

  private static long handleOf(ByteBuffer args, Class<?> type) {
    long handle = Handles.ofNumber(Args.intSlot(args, 0));
    Handles.get(handle, type);
    return handle;
  }
}
