// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/**
 * The rule by which two ends of a packet are in one partition (InfiniBand Architecture, P_Key
 * matching).
 */
public final class PartitionKey {
  /** The full member key of the default partition, which RoCE ports carry. */
  public static final int DEFAULT = 0xffff;

  private static final int FULL_MEMBER = 0x8000;
  private static final int PARTITION = 0x7fff;

  private PartitionKey() {}

  /** Same partition, not the invalid one, and at least one end is a full member. */
  public static boolean matches(int a, int b) {
    int partition = a & PARTITION;
    return partition != 0 && partition == (b & PARTITION) && ((a | b) & FULL_MEMBER) != 0;
  }
}
