// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Rule by which both ends are in one partition (IBTA, P_Key matching). */
public final class PartitionKey {
  /** P_Key of a full member of the default partition, which RoCE ports have. */
  public static final int DEFAULT = 0xffff;

  private static final int FULL_MEMBER = 0x8000;
  private static final int PARTITION = 0x7fff;

  private PartitionKey() {}

  /** Whether both P_Keys are of one valid partition, and one of a full member. */
  public static boolean matches(int a, int b) {
    int partition = a & PARTITION;
    return partition != 0 && partition == (b & PARTITION) && ((a | b) & FULL_MEMBER) != 0;
  }
}
