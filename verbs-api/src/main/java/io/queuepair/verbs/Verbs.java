// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import io.queuepair.verbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Where an application that knows no particular device starts. */
public final class Verbs {
  private static final int TAG_MASK = 0xff;

  private static final int FIRST_UDP_PORT = 0xc000;
  private static final int UDP_PORT_BITS = 14;
  private static final int FLOW_LABEL_MASK = 0xf_ffff;

  private Verbs() {}

  /**
   * The devices of all providers on the class or module path.
   *
   * @return the devices, possibly none
   */
  @Verb("ibv_get_device_list")
  public static List<Device> devices() {
    List<Device> devices = new ArrayList<>();
    for (VerbsProvider provider : ServiceLoader.load(VerbsProvider.class)) {
      devices.addAll(provider.devices());
    }
    return List.copyOf(devices);
  }

  /**
   * Prepares registered memory for a fork of the process, of which there is nothing to do: no
   * device here reads the memory of a process behind its back.
   */
  @Verb("ibv_fork_init")
  public static void forkInit() {
    // Unneeded, see above and isForkInitialized().
  }

  /**
   * Whether registered memory is safe when the process forks.
   *
   * @return {@link ForkStatus#UNNEEDED}, before and after {@link #forkInit}
   */
  @Verb("ibv_is_fork_initialized")
  public static ForkStatus isForkInitialized() {
    return ForkStatus.UNNEEDED;
  }

  /**
   * The key that differs from a given one in its tag alone, the lower 8 bits, by one.
   *
   * @param rkey a key
   * @return the next one of the same window
   */
  @Verb("ibv_inc_rkey")
  public static int incRkey(int rkey) {
    return (rkey & ~TAG_MASK) | ((rkey + 1) & TAG_MASK);
  }

  /**
   * The UDP source port of packets with a flow label, chosen so that flows spread over the paths of
   * a network.
   *
   * @param flowLabel 20 bits; others are ignored
   * @return 0xC000 to 0xFFFF
   */
  @Verb("ibv_flow_label_to_udp_sport")
  public static int flowLabelToUdpSport(int flowLabel) {
    int label = flowLabel & FLOW_LABEL_MASK;
    int lower = label & ((1 << UDP_PORT_BITS) - 1);
    return FIRST_UDP_PORT | (lower ^ label >>> UDP_PORT_BITS);
  }
}
