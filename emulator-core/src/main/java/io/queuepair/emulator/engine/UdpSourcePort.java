// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.Verbs;

/**
 * UDP source port of a connection, 0xC000 to 0xFFFF, which spreads flows over network paths. It
 * derives from the flow label or, if that is 0, from both queue pair numbers (Linux {@code
 * rdma_get_udp_sport}).
 */
public final class UdpSourcePort {
  private static final int FIRST_PORT = 0xc000;
  private static final int LABEL_MASK = 0xf_ffff;
  private static final int PORT_BITS = 14;

  /** Multiplier of Linux {@code hash_32}. */
  private static final int HASH_MULTIPLIER = 0x61c88647;

  private UdpSourcePort() {}

  public static int of(int flowLabel, int localQpn, int remoteQpn) {
    int label = flowLabel & LABEL_MASK;
    if (label == 0) {
      long product = (long) localQpn * remoteQpn;
      product ^= product >>> 20;
      product ^= product >>> 40;
      label = (int) product;
    }
    return Verbs.flowLabelToUdpSport(label);
  }

  public static int ofDatagrams(int qpn) {
    return FIRST_PORT | (qpn * HASH_MULTIPLIER) >>> (Integer.SIZE - PORT_BITS);
  }
}
