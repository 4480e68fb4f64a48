// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * On-demand paging ({@code struct ibv_odp_caps}, and {@code xrc_odp_caps} of {@code struct
 * ibv_device_attr_ex}).
 *
 * @param general whether there is any
 * @param rc operations of type RC that have it
 * @param uc operations of type UC that have it
 * @param ud operations of type UD that have it
 * @param xrc operations of types XRC_SEND and XRC_RECV that have it
 */
public record OdpCaps(
    Set<OdpGeneralCap> general,
    Set<OdpTransportCap> rc,
    Set<OdpTransportCap> uc,
    Set<OdpTransportCap> ud,
    Set<OdpTransportCap> xrc) {
  /**
   * Copies the capabilities.
   *
   * @param general whether there is any
   * @param rc operations of type RC that have it
   * @param uc operations of type UC that have it
   * @param ud operations of type UD that have it
   * @param xrc operations of types XRC_SEND and XRC_RECV that have it
   */
  public OdpCaps {
    general = FlagSet.copyOf(general, "general");
    rc = FlagSet.copyOf(rc, "rc");
    uc = FlagSet.copyOf(uc, "uc");
    ud = FlagSet.copyOf(ud, "ud");
    xrc = FlagSet.copyOf(xrc, "xrc");
  }

  /** No paging on demand. */
  public static final OdpCaps NONE = new OdpCaps(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
}
