// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni.replacement;

/** Takes the place of {@code com.ibm.disni.util.NativeAffinity}: threads run where they like. */
public final class NoAffinity {
  private NoAffinity() {}

  /**
   * Ignored: the processors of a thread are a matter of speed only.
   *
   * @param affinity bit mask of processors
   */
  public static void setAffinity(long affinity) {}

  /** {@return 0: no thread is bound to a processor} */
  public static long getAffinity() {
    return 0;
  }
}
