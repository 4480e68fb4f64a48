// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;

/** Formats GIDs like {@code inet_ntop} of glibc, which the Linux programs use. */
public final class GidText {
  private static final int GROUPS = 8;
  private static final int FIRST_IPV4_GROUP = 6;

  private GidText() {}

  /**
   * Short form, such as {@code ::ffff:192.0.2.1} or {@code fe80::1}: without the longest run of
   * zero groups, and with an IPv4 address in dotted form.
   */
  public static String of(Gid gid) {
    byte[] bytes = gid.toBytes();
    int[] groups = groups(bytes);
    int gap = longestGap(groups);
    int gapEnd = gap < 0 ? -1 : endOfZeros(groups, gap);
    boolean isIpv4 = gap == 0 && (gapEnd == 6 || (gapEnd == 5 && groups[5] == 0xffff));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < (isIpv4 ? FIRST_IPV4_GROUP : GROUPS); i++) {
      if (i == gap) {
        text.append("::");
        i = gapEnd - 1;
      } else {
        text.append(i == 0 || i == gapEnd ? "" : ":").append(Integer.toHexString(groups[i]));
      }
    }
    if (isIpv4) {
      text.append(gapEnd == FIRST_IPV4_GROUP ? "" : ":").append(dotted(bytes));
    }
    return text.toString();
  }

  private static int[] groups(byte[] bytes) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(2 * i));
    }
    return groups;
  }

  /** Index of the first of the longest runs of at least two zero groups; -1 if there is none. */
  private static int longestGap(int[] groups) {
    int gap = -1;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int zeros = endOfZeros(groups, i) - i;
      if (zeros > length) {
        gap = i;
        length = zeros;
      }
    }
    return gap;
  }

  private static int endOfZeros(int[] groups, int start) {
    int end = start;
    while (end < GROUPS && groups[end] == 0) {
      end++;
    }
    return end;
  }

  private static String dotted(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = bytes.length - 4; i < bytes.length; i++) {
      text.append(text.isEmpty() ? "" : ".").append(Byte.toUnsignedInt(bytes[i]));
    }
    return text.toString();
  }
}
