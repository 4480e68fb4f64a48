// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ports of a host and the ids that are bound to them. Guarded by the lock of the host. */
final class PortSpaces {
  /** First port of those that are handed out, as in {@code ip_local_port_range} of Linux. */
  private static final int FIRST_EPHEMERAL = 32_768;

  private static final int LAST_EPHEMERAL = 60_999;

  private final Map<RdmaPortSpace, Map<Integer, List<IdContext>>> boundIds =
      new EnumMap<>(RdmaPortSpace.class);

  private int nextEphemeral = FIRST_EPHEMERAL;

  private Map<Integer, List<IdContext>> of(RdmaPortSpace space) {
    return boundIds.computeIfAbsent(space, k -> new TreeMap<>());
  }

  /**
   * Binds an id to an address, with a free port if the address has none.
   *
   * @throws VerbsException EADDRINUSE if another id has the port at that address, or no port is
   *     free; EADDRNOTAVAIL if one of the two is bound to the wildcard address
   */
  void bind(String verb, IdContext id, InetSocketAddress address) {
    int port = address.getPort() == 0 ? freePort(verb, id) : address.getPort();
    InetSocketAddress source = new InetSocketAddress(address.getAddress(), port);
    check(verb, id, source, id.reusesAddress);
    of(id.portSpace).computeIfAbsent(port, absent -> new ArrayList<>()).add(id);
    id.source = source;
  }

  /** Checks that an id may use a port, as {@code cma_check_port} of Linux. */
  private void check(String verb, IdContext id, InetSocketAddress source, boolean reuses) {
    InetAddress own = source.getAddress();
    for (IdContext other : of(id.portSpace).getOrDefault(source.getPort(), List.of())) {
      InetAddress its = other.source.getAddress();
      boolean isSameFamily = own instanceof Inet4Address == its instanceof Inet4Address;
      boolean isApart = !isSameFamily && isForOneFamily(id, own) && isForOneFamily(other, its);
      isApart |= Collections.disjoint(id.devices, other.devices);
      if (other == id || isApart || (reuses && other.reusesAddress)) {
        continue;
      }
      if (own.isAnyLocalAddress() || its.isAnyLocalAddress()) {
        throw inUse(Errno.EADDRNOTAVAIL, verb, source);
      }
      if (own.equals(its)) {
        throw inUse(Errno.EADDRINUSE, verb, source);
      }
    }
  }

  /**
   * Whether an id is bound in one address family only. An id of IPv4 always is; an id of IPv6 also
   * takes IPv4, unless its program has excluded that.
   */
  private static boolean isForOneFamily(IdContext id, InetAddress address) {
    return address instanceof Inet4Address || id.isForOneFamily;
  }

  private static VerbsException inUse(Errno errno, String verb, InetSocketAddress address) {
    return new VerbsException(
        errno,
        verb,
        "port "
            + address.getPort()
            + " of "
            + address.getAddress().getHostAddress()
            + " is in use");
  }

  private int freePort(String verb, IdContext id) {
    int ports = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
    for (int tried = 0; tried < ports; tried++) {
      int port = nextEphemeral;
      nextEphemeral = port == LAST_EPHEMERAL ? FIRST_EPHEMERAL : port + 1;
      if (!of(id.portSpace).containsKey(port)) {
        return port;
      }
    }
    throw new VerbsException(
        Errno.EADDRINUSE, verb, "all ports from " + FIRST_EPHEMERAL + " on are in use");
  }

  /**
   * Checks that an id that is to listen has its port for itself, as a listener does not share it.
   *
   * @throws VerbsException as {@link #bind}
   */
  void checkListen(String verb, IdContext id) {
    if (id.reusesAddress) {
      check(verb, id, id.source, false);
      id.reusesAddress = false;
    }
  }

  /** Id that listens for requests to an address at a device; null if there is none. */
  @Nullable IdContext listener(
      RdmaPortSpace space, HostDevice device, InetSocketAddress destination) {
    InetAddress to = destination.getAddress();
    for (IdContext id : of(space).getOrDefault(destination.getPort(), List.of())) {
      InetAddress own = id.source.getAddress();
      boolean isSameFamily = own instanceof Inet4Address == to instanceof Inet4Address;
      boolean isOfAny = own.isAnyLocalAddress() && (isSameFamily || !isForOneFamily(id, own));
      boolean isThere = id.state() == IdState.LISTEN && id.devices.contains(device);
      if (isThere && (isOfAny || own.equals(to))) {
        return id; // No other id fits: a wildcard shares its port with none of the family.
      }
    }
    return null;
  }

  /** Unbinds an id from its port, if it has one. */
  void release(IdContext id) {
    if (id.source == null) {
      return;
    }
    Map<Integer, List<IdContext>> idsByPort = of(id.portSpace);
    List<IdContext> ids = idsByPort.get(id.source.getPort());
    if (ids != null && ids.remove(id) && ids.isEmpty()) {
      idsByPort.remove(id.source.getPort());
    }
  }
}
