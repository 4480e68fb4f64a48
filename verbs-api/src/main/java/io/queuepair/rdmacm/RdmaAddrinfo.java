// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Addresses to connect to or to listen at, and hints for looking for them ({@code struct
 * rdma_addrinfo}). Several are a list; nothing has to be freed.
 *
 * @param flags how it was, or is to be, looked for
 * @param qpType service; null in hints means that of the port space
 * @param portSpace port space; null in hints means {@link RdmaPortSpace#TCP}
 * @param srcAddr own address, or null for any
 * @param dstAddr address of the peer, or null for a passive id
 * @param canonname name of the node that was looked up; empty if there was none
 */
public record RdmaAddrinfo(
    Set<RdmaAddrinfoFlag> flags,
    @Nullable QpType qpType,
    @Nullable RdmaPortSpace portSpace,
    @Nullable InetSocketAddress srcAddr,
    @Nullable InetSocketAddress dstAddr,
    String canonname) {
  /**
   * Copies the flags.
   *
   * @param flags how it was, or is to be, looked for
   * @param qpType service; null in hints means that of the port space
   * @param portSpace port space; null in hints means {@link RdmaPortSpace#TCP}
   * @param srcAddr own address, or null for any
   * @param dstAddr address of the peer, or null for a passive id
   * @param canonname name of the node that was looked up; empty if there was none
   */
  public RdmaAddrinfo {
    Set<RdmaAddrinfoFlag> copy = EnumSet.noneOf(RdmaAddrinfoFlag.class);
    copy.addAll(Objects.requireNonNull(flags, "flags"));
    flags = Set.copyOf(copy);
    Objects.requireNonNull(canonname, "canonname");
  }

  /**
   * Hints for a port space.
   *
   * @param portSpace port space
   * @param flags how to look; a flag that is given twice counts once
   * @return the hints, without addresses
   */
  public static RdmaAddrinfo hints(RdmaPortSpace portSpace, RdmaAddrinfoFlag... flags) {
    Objects.requireNonNull(portSpace, "portSpace");
    Set<RdmaAddrinfoFlag> set = EnumSet.noneOf(RdmaAddrinfoFlag.class);
    set.addAll(List.of(flags));
    return new RdmaAddrinfo(set, null, portSpace, null, null, "");
  }

  /**
   * A copy with another service, such as XRC_SEND.
   *
   * @param type service
   * @return new attributes
   */
  public RdmaAddrinfo withQpType(QpType type) {
    return new RdmaAddrinfo(flags, type, portSpace, srcAddr, dstAddr, canonname);
  }

  /**
   * A copy with an own address.
   *
   * @param address own address, or null for any
   * @return new attributes
   */
  public RdmaAddrinfo withSrcAddr(@Nullable InetSocketAddress address) {
    return new RdmaAddrinfo(flags, qpType, portSpace, address, dstAddr, canonname);
  }

  /** {@return whether it is for a passive id} */
  public boolean isPassive() {
    return flags.contains(RdmaAddrinfoFlag.PASSIVE);
  }
}
