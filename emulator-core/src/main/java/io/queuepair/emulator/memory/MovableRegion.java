// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.ReregMr;

/** A memory region that can become one of the memory of another process. */
public interface MovableRegion {
  /**
   * Changes the region, like {@code ibv_rereg_mr}, whose new memory is that of a process.
   *
   * @param reregMr with CHANGE_TRANSLATION, without memory
   * @param memory the new memory, at its own addresses
   * @throws io.queuepair.verbs.ReregMrException as {@link
   *     io.queuepair.verbs.MemoryRegion#rereg(ReregMr)}
   */
  void rereg(ReregMr reregMr, ProcessMemory memory);
}
