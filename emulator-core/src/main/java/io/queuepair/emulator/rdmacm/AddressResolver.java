// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmListener;
import io.queuepair.emulator.cm.CmTimeouts;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Binds ids, and resolves addresses and routes of peers. Called under the host's lock. */
final class AddressResolver implements Timed {
  /** Maximum number of requests in a backlog, also if a program asks for more. */
  static final int MAX_BACKLOG = 1024;

  /** Longest timeout of the library, whose argument is an int. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

  private static final Gid ANY_IPV4 = new Gid(0, 0xffff_0000_0000L);
  private static final int HOP_LIMIT = 64;
  private static final int FLOW_LABEL_MASK = 0xf_ffff;

  private final EmulatedHost host;
  private final PortSpaces ports;

  /** Resolutions of addresses that no host has answered for yet. */
  private final Map<IdContext, Pending> pending = new LinkedHashMap<>();

  /** Deadline of a resolution, and its timeout for the explanation of an error. */
  private record Pending(long deadlineNanos, Duration timeout) {}

  AddressResolver(EmulatedHost host, PortSpaces ports) {
    this.host = host;
    this.ports = ports;
  }

  void bind(String verb, IdContext id, InetSocketAddress address) {
    refuseUnless(id.state() == IdState.IDLE, verb, id);
    bindTo(verb, id, address);
  }

  private void bindTo(String verb, IdContext id, InetSocketAddress asked) {
    InetSocketAddress address = withoutLoopback(verb, id, asked);
    InetAddress own = address.getAddress();
    HostDevice device = own.isAnyLocalAddress() ? null : id.deviceOf(own);
    if (device == null && !own.isAnyLocalAddress()) {
      throw new VerbsException(
          Errno.EADDRNOTAVAIL,
          verb,
          own.getHostAddress() + " is not an address of a device of the host");
    }
    ports.bind(verb, id, address);
    if (device != null) {
      id.bindTo(device, device.agent().placeOf(own));
    }
    id.enter(IdState.ADDR_BOUND);
  }

  /** Replaces a loopback address that no device has by the wildcard, as cma_any_addr of Linux. */
  private InetSocketAddress withoutLoopback(String verb, IdContext id, InetSocketAddress address) {
    InetAddress own = checkResolved(verb, address);
    if (!own.isLoopbackAddress() || id.deviceOf(own) != null) {
      return address;
    }
    Gid anyGid = own instanceof Inet4Address ? ANY_IPV4 : Gid.ZERO;
    return new InetSocketAddress(anyGid.toAddress(), address.getPort());
  }

  private static InetAddress checkResolved(String verb, InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the name " + address.getHostString() + " has no address");
    }
    return address.getAddress();
  }

  void resolveAddr(
      String verb,
      IdContext id,
      @Nullable InetSocketAddress source,
      InetSocketAddress destination,
      Duration timeout) {
    refuseUnless(id.state() == IdState.IDLE || id.state() == IdState.ADDR_BOUND, verb, id);
    InetAddress peer = checkResolved(verb, destination);
    InetAddress own = ownAddress(verb, id, source, peer);
    HostDevice device = id.deviceOf(own);
    if (device == null) {
      throw new VerbsException(
          Errno.EADDRNOTAVAIL,
          verb,
          own.getHostAddress() + " is not an address of a device of the host");
    }
    if (id.state() == IdState.IDLE) {
      int port = source == null ? 0 : source.getPort();
      bindTo(verb, id, new InetSocketAddress(own, port));
    } else {
      id.source = new InetSocketAddress(own, id.source.getPort());
    }
    id.bindTo(device, device.agent().placeOf(own));
    InetAddress to = isThisHost(peer, own) ? own : peer;
    id.destination = new InetSocketAddress(to, destination.getPort());
    if (isReachable(id)) {
      resolved(id);
    } else {
      id.enter(IdState.ADDR_QUERY);
      Duration wait = timeout.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT : timeout;
      pending.put(id, new Pending(host.driver().nowNanos() + wait.toNanos(), wait));
    }
  }

  /** Whether a peer's address means this host, as cma_any_addr; devices may have loopback. */
  private static boolean isThisHost(InetAddress peer, InetAddress own) {
    return peer.isAnyLocalAddress() || (peer.isLoopbackAddress() && !own.isLoopbackAddress());
  }

  private InetAddress ownAddress(
      String verb, IdContext id, @Nullable InetSocketAddress source, InetAddress peer) {
    if (id.source != null && !id.source.getAddress().isAnyLocalAddress()) {
      return sameFamily(verb, id.source.getAddress(), peer);
    }
    if (source != null && !checkResolved(verb, source).isAnyLocalAddress()) {
      return sameFamily(verb, source.getAddress(), peer);
    }
    if (id.deviceOf(peer) != null) {
      return peer;
    }
    InetAddress own = null;
    InetAddress ofOtherFamily = null;
    for (HostDevice device : id.devices) {
      if (device.isRemoved()) {
        continue;
      }
      boolean reaches = device.agent().device().reaches(peer);
      for (InetAddress candidate : device.agent().addresses()) {
        boolean fits = isOfFamily(candidate, peer);
        if (ofOtherFamily == null && isThisHost(peer, candidate)) {
          ofOtherFamily = candidate;
        }
        if (fits && (own == null || reaches)) {
          own = candidate;
        }
        if (fits && reaches) {
          return candidate;
        }
      }
    }
    if (own == null && ofOtherFamily != null) {
      return ofOtherFamily; // Both ends are this device, so the family does not matter.
    }
    if (own == null) {
      throw new VerbsException(
          Errno.ENETUNREACH,
          verb,
          "no device of the host has an address of the family of " + peer.getHostAddress());
    }
    return own;
  }

  private static InetAddress sameFamily(String verb, InetAddress own, InetAddress peer) {
    if (!isOfFamily(own, peer)) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          own.getHostAddress() + " and " + peer.getHostAddress() + " are of two families");
    }
    return own;
  }

  private static boolean isOfFamily(InetAddress own, InetAddress peer) {
    return own instanceof Inet4Address == peer instanceof Inet4Address;
  }

  private static boolean isReachable(IdContext id) {
    InetAddress peer = id.destination.getAddress();
    return peer.isMulticastAddress() || id.device.agent().device().reaches(peer);
  }

  private void resolved(IdContext id) {
    id.enter(IdState.ADDR_RESOLVED);
    host.tell(id, EventContent.of(RdmaCmEventType.ADDR_RESOLVED, 0, ""));
  }

  @Override
  public boolean hasDeadline() {
    return !pending.isEmpty();
  }

  /** Time at which to call {@link #expire}; only if {@link #hasDeadline}. */
  @Override
  public long deadlineNanos() {
    long next = pending.values().iterator().next().deadlineNanos();
    for (Pending p : pending.values()) {
      next = p.deadlineNanos() - next < 0 ? p.deadlineNanos() : next;
    }
    return next;
  }

  /** Gives up the resolutions whose deadlines have passed. */
  void expire(long nowNanos) {
    for (Map.Entry<IdContext, Pending> entry : List.copyOf(pending.entrySet())) {
      if (nowNanos - entry.getValue().deadlineNanos() >= 0) {
        pending.remove(entry.getKey());
        giveUp(entry.getKey(), entry.getValue().timeout());
      }
    }
  }

  private void giveUp(IdContext id, Duration timeout) {
    if (isReachable(id)) {
      resolved(id);
      return;
    }
    id.enter(IdState.ADDR_BOUND);
    String why =
        "No host on the network has the address "
            + id.destination.getAddress().getHostAddress()
            + "; it was looked for for "
            + timeout.toMillis()
            + " ms.";
    host.tell(id, EventContent.of(RdmaCmEventType.ADDR_ERROR, -Errno.ETIMEDOUT.code(), why));
  }

  void resolveRoute(String verb, IdContext id, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new VerbsException(Errno.EINVAL, verb, "the timeout is not positive");
    }
    refuseUnless(id.state() == IdState.ADDR_RESOLVED, verb, id);
    id.path = pathOf(id);
    id.enter(IdState.ROUTE_RESOLVED);
    host.tell(id, EventContent.of(RdmaCmEventType.ROUTE_RESOLVED, 0, ""));
  }

  /** Sets a path that the program gives in place of a resolved route. */
  void setPath(String verb, IdContext id, RdmaPath path) {
    refuseUnless(id.state() == IdState.ADDR_RESOLVED, verb, id);
    id.path = path;
    id.enter(IdState.ROUTE_RESOLVED);
  }

  private static RdmaPath pathOf(IdContext id) {
    int sourcePort = id.source.getPort();
    int flow = sourcePort * 31 + id.destination.getPort() & FLOW_LABEL_MASK;
    return new RdmaPath(
        Gid.of(id.source.getAddress()),
        Gid.of(id.destination.getAddress()),
        id.device.agent().activeMtu(id.position.portNum()),
        PartitionKey.DEFAULT,
        flow,
        id.trafficClass,
        HOP_LIMIT,
        CmTimeouts.PACKET_LIFETIME);
  }

  void listen(String verb, IdContext id, int backlog) {
    if (id.state() == IdState.IDLE) {
      bindTo(verb, id, new InetSocketAddress(Gid.ZERO.toAddress(), 0));
    }
    refuseUnless(id.state() == IdState.ADDR_BOUND, verb, id);
    ports.checkListen(verb, id);
    int limit = backlog <= 0 || backlog > MAX_BACKLOG ? MAX_BACKLOG : backlog;
    id.listener = new CmListener(limit);
    id.enter(IdState.LISTEN);
  }

  void release(IdContext id) {
    ports.release(id);
    cancel(id);
  }

  /** Ends the resolution of an address, if the id waits for one. */
  void cancel(IdContext id) {
    pending.remove(id);
  }

  private static void refuseUnless(boolean condition, String verb, IdContext id) {
    if (!condition) {
      throw new VerbsException(
          Errno.EINVAL, verb, "not in this state of the id: " + id.state().text());
    }
  }
}
