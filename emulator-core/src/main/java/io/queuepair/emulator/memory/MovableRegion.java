// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.ReregMr;

/** Memory region that can be changed to memory of another process. */
public interface MovableRegion {
  /**
   * Changes the region to memory of another process, like {@code ibv_rereg_mr}.
   *
   * @param reregMr change with CHANGE_TRANSLATION, without memory
   * @param memory the new memory, at its own addresses
   * @throws io.queuepair.verbs.ReregMrException as {@link
   *     io.queuepair.verbs.MemoryRegion#rereg(ReregMr)}
   */
  void rereg(ReregMr reregMr, ProcessMemory memory);
}
