// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;

/**
 * Calls of C to imported objects, which are known in their file by the lower half of their handle:
 * the number that C shows.
 */
final class ImportEntries {
  private ImportEntries() {}

  static long importPd(long context, ByteBuffer args) {
    return Refusals.guard(
        "ibv_import_pd",
        () -> {
          long handle = Handles.ofNumber(Args.intSlot(Args.of(args), 0));
          Handles.get(handle, ProtectionDomain.class);
          return handle;
        });
  }

  static long importMr(long context, ByteBuffer args) {
    return Refusals.guard(
        "ibv_import_mr",
        () -> {
          long handle = Handles.ofNumber(Args.intSlot(Args.of(args), 0));
          MemoryRegion region = Handles.get(handle, MemoryRegion.class);
          Args.setSlot(args, 0, region.lkey());
          Args.setSlot(args, 1, region.rkey());
          Args.setSlot(args, 2, region.size());
          return handle;
        });
  }

  static long importDm(long context, ByteBuffer args) {
    return Refusals.guard(
        "ibv_import_dm",
        () -> {
          long handle = Handles.ofNumber(Args.intSlot(Args.of(args), 0));
          Handles.get(handle, DeviceMemory.class);
          return handle;
        });
  }
}
