// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Device memory that is asked for ({@code struct ibv_alloc_dm_attr}).
 *
 * @param length bytes, at least 1
 * @param logAlignReq binary logarithm of the alignment of its first byte, 0 to 63
 */
public record AllocDmAttr(long length, int logAlignReq) {
  /**
   * Without wish for an alignment.
   *
   * @param length bytes, at least 1
   * @return the attributes
   */
  public static AllocDmAttr of(long length) {
    return new AllocDmAttr(length, 0);
  }
}
