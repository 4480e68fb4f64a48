// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Sge;
import java.util.Set;

/**
 * Registered memory of the device under fire.
 *
 * @param name what it is for
 * @param region its registration
 * @param offset where it begins in the guarded memory
 * @param length its bytes
 * @param access the rights that it has
 */
record MemoryArea(
    String name, MemoryRegion region, int offset, int length, Set<AccessFlag> access) {
  Sge sge(int from, int length) {
    return region.sge(from, length);
  }
}
