// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoException.Reason;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Turns names and numbers into addresses ({@code rdma_getaddrinfo}). Pure but for names. */
final class AddressLookup {
  private static final String VERB = "rdma_getaddrinfo";
  private static final int MAX_PORT = 0xffff;

  private AddressLookup() {}

  static List<RdmaAddrinfo> lookUp(String node, String service, RdmaAddrinfo hints) {
    if (node == null && service == null && hints == null) {
      throw new VerbsException(Errno.EINVAL, VERB, "neither a node, a service nor hints are given");
    }
    RdmaAddrinfo wanted = hints == null ? RdmaAddrinfo.hints(RdmaPortSpace.TCP) : hints;
    if (wanted.flags().contains(RdmaAddrinfoFlag.SA)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, VERB, "there is no subnet administrator to ask for names");
    }
    RdmaPortSpace space =
        wanted.portSpace() == null ? spaceOf(wanted.qpType()) : wanted.portSpace();
    QpType type = wanted.qpType() == null ? typeOf(space) : wanted.qpType();
    checkType(type, space);
    if (node == null && service == null && !wanted.isPassive()) {
      return List.of(
          new RdmaAddrinfo(Set.of(), type, space, wanted.srcAddr(), wanted.dstAddr(), ""));
    }
    int port = portOf(service);
    Set<RdmaAddrinfoFlag> flags = wanted.isPassive() ? Set.of(RdmaAddrinfoFlag.PASSIVE) : Set.of();
    List<RdmaAddrinfo> found = new ArrayList<>();
    for (InetAddress address : addresses(node, wanted)) {
      InetSocketAddress resolved = new InetSocketAddress(address, port);
      InetSocketAddress source = wanted.isPassive() ? resolved : wanted.srcAddr();
      InetSocketAddress destination = wanted.isPassive() ? null : resolved;
      if (node == null && !wanted.isPassive()) {
        destination = wanted.dstAddr();
      }
      String name = node == null ? "" : node;
      found.add(new RdmaAddrinfo(flags, type, space, source, destination, name));
    }
    return List.copyOf(found);
  }

  private static RdmaPortSpace spaceOf(QpType type) {
    return type == QpType.UD ? RdmaPortSpace.UDP : RdmaPortSpace.TCP;
  }

  /** As getaddrinfo checks {@code ai_socktype} and {@code ai_protocol}, which they stand for. */
  private static void checkType(QpType type, RdmaPortSpace space) {
    boolean fits =
        switch (type) {
          case RC, UC, XRC_SEND, XRC_RECV -> !space.isDatagram();
          case UD -> space.isDatagram() || space == RdmaPortSpace.IB;
          default -> true;
        };
    if (!fits) {
      throw new RdmaAddrinfoException(
          Reason.QPTYPE,
          Errno.EINVAL,
          "port space " + space + " has no queue pairs of type " + type);
    }
  }

  static QpType typeOf(RdmaPortSpace space) {
    return space.isDatagram() ? QpType.UD : QpType.RC;
  }

  private static int portOf(String service) {
    if (service == null) {
      return 0;
    }
    int port = service.matches("[0-9]{1,5}") ? Integer.parseInt(service) : MAX_PORT + 1;
    if (port > MAX_PORT) {
      throw new RdmaAddrinfoException(
          Reason.SERVICE, Errno.EINVAL, "service " + service + " is no port from 0 to " + MAX_PORT);
    }
    return port;
  }

  private static List<InetAddress> addresses(String node, RdmaAddrinfo hints) {
    if (node == null) {
      if (!hints.isPassive() && hints.dstAddr() == null) {
        throw new RdmaAddrinfoException(
            Reason.NONAME, Errno.EINVAL, "neither a node nor a destination in the hints");
      }
      return List.of(Gid.ZERO.toAddress());
    }
    List<InetAddress> all = resolve(node, hints.flags());
    InetAddress example = exampleOf(hints);
    if (!hints.flags().contains(RdmaAddrinfoFlag.FAMILY) || example == null) {
      return all;
    }
    List<InetAddress> ofFamily =
        all.stream().filter(address -> address.getClass() == example.getClass()).toList();
    if (ofFamily.isEmpty()) {
      throw new RdmaAddrinfoException(
          Reason.ADDRFAMILY, Errno.EINVAL, node + " has no address of the family of the hints");
    }
    return ofFamily;
  }

  private static InetAddress exampleOf(RdmaAddrinfo hints) {
    InetSocketAddress example = hints.srcAddr() == null ? hints.dstAddr() : hints.srcAddr();
    return example == null ? null : example.getAddress();
  }

  private static List<InetAddress> resolve(String node, Set<RdmaAddrinfoFlag> flags) {
    try {
      return List.of(IpAddress.parse(node));
    } catch (IllegalArgumentException isName) {
      if (flags.contains(RdmaAddrinfoFlag.NUMERICHOST)) {
        throw new RdmaAddrinfoException(
            Reason.NONAME, Errno.EINVAL, node + " is not a numeric address");
      }
      return byName(node);
    }
  }

  private static List<InetAddress> byName(String node) {
    try {
      return List.of(InetAddress.getAllByName(node));
    } catch (UnknownHostException unknown) {
      throw new RdmaAddrinfoException(
          Reason.NONAME, Errno.EINVAL, "the name " + node + " has no address");
    }
  }
}
