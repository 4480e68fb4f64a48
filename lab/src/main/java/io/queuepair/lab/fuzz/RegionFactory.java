// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.Set;

/** Registers the memory of the device under fire. Tests have one that makes mistakes. */
public interface RegionFactory {
  /** One that makes no mistakes. */
  RegionFactory FAITHFUL =
      (pd, memory, place, access) -> pd.regMr(memory.slice(place.offset(), place.length()), access);

  /**
   * Registers a part of the memory.
   *
   * @param pd where
   * @param memory all of it
   * @param place the part
   * @param access the rights
   * @return the region
   */
  MemoryRegion register(
      ProtectionDomain pd, ByteBuffer memory, RegionPart place, Set<AccessFlag> access);

  /**
   * A part of memory.
   *
   * @param name what it is for
   * @param offset of its first byte
   * @param length its bytes
   */
  record RegionPart(String name, int offset, int length) {}
}
