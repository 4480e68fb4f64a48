// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/** Flag of a send work request ({@code enum ibv_send_flags}). */
public enum SendFlag implements VerbsConstant {
  /** Do not start before all earlier READs and atomics have completed. */
  FENCE(1 << 0),

  /** Generate a completion on success; errors always generate one. */
  SIGNALED(1 << 1),

  /** Set the solicited event bit in the last packet. */
  SOLICITED(1 << 2),

  /**
   * Copy the data at post time. The lkeys are ignored: the bytes are found by address among all
   * regions of the context, whatever their domain and rights, or are {@link Sge#inline}.
   */
  INLINE(1 << 3),

  /**
   * Let the device compute the checksums of IPv4, TCP and UDP, where {@link
   * DeviceCapFlag#UD_IP_CSUM} or {@link DeviceCapFlag#RAW_IP_CSUM} says that it does.
   */
  IP_CSUM(1 << 4);

  private final int code;

  SendFlag(int code) {
    this.code = code;
  }

  /**
   * Flags as they are now, in a set that requests hold without a copy.
   *
   * @param flags which
   * @return the set, which does not change
   */
  public static Set<SendFlag> copyOf(Set<SendFlag> flags) {
    return FlagSet.copyOf(flags, "flags");
  }

  @Override
  public int code() {
    return code;
  }
}
