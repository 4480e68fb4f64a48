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
import org.jspecify.annotations.Nullable;

/** Turns names and numbers into addresses ({@code rdma_getaddrinfo}); names are looked up. */
final class AddressLookup {
  private static final String VERB = "rdma_getaddrinfo";
  private static final int MAX_PORT = 0xffff;
  private static final int MAX_DIGITS = 5;

  private static final List<InetAddress> ANY =
      List.of(IpAddress.parse("0.0.0.0"), IpAddress.parse("::"));

  private static final List<InetAddress> LOOPBACK =
      List.of(IpAddress.parse("::1"), IpAddress.parse("127.0.0.1"));

  private AddressLookup() {}

  static List<RdmaAddrinfo> lookUp(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints) {
    if (node == null && service == null && hints == null) {
      throw new VerbsException(Errno.EINVAL, VERB, "neither a node, a service nor hints are given");
    }
    RdmaAddrinfo wantedAddrinfo = hints == null ? RdmaAddrinfo.hints(spaceOf(service)) : hints;
    if (wantedAddrinfo.flags().contains(RdmaAddrinfoFlag.SA)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, VERB, "there is no subnet administrator to ask for names");
    }
    RdmaPortSpace space =
        wantedAddrinfo.portSpace() == null
            ? spaceOf(wantedAddrinfo.qpType())
            : wantedAddrinfo.portSpace();
    QpType type = wantedAddrinfo.qpType() == null ? typeOf(space) : wantedAddrinfo.qpType();
    checkType(type, space);
    if (node == null && service == null) {
      return List.of(answerOf(wantedAddrinfo, type, space));
    }
    int port = service == null ? 0 : portOf(service, type);
    Set<RdmaAddrinfoFlag> flags =
        wantedAddrinfo.isPassive() ? Set.of(RdmaAddrinfoFlag.PASSIVE) : Set.of();
    List<RdmaAddrinfo> addrinfos = new ArrayList<>();
    for (InetAddress address : addresses(node, wantedAddrinfo)) {
      InetSocketAddress resolved = new InetSocketAddress(address, port);
      InetSocketAddress source = wantedAddrinfo.isPassive() ? resolved : wantedAddrinfo.srcAddr();
      InetSocketAddress destination = wantedAddrinfo.isPassive() ? null : resolved;
      String name = node == null ? "" : node;
      addrinfos.add(new RdmaAddrinfo(flags, type, space, source, destination, name));
    }
    return List.copyOf(addrinfos);
  }

  /** Answer without node and service: the hints; a passive side gets the wildcard address. */
  private static RdmaAddrinfo answerOf(RdmaAddrinfo hints, QpType type, RdmaPortSpace space) {
    boolean listensAnywhere = hints.isPassive() && hints.srcAddr() == null;
    InetSocketAddress source =
        listensAnywhere ? new InetSocketAddress(Gid.ZERO.toAddress(), 0) : hints.srcAddr();
    return new RdmaAddrinfo(hints.flags(), type, space, source, hints.dstAddr(), "");
  }

  /** Port space of a lookup without hints: UDP for the name of a service that only UDP has. */
  private static RdmaPortSpace spaceOf(@Nullable String service) {
    boolean isForDatagrams =
        service != null
            && !isNumber(service)
            && ServiceNames.port(service, ServiceNames.TCP).isEmpty()
            && ServiceNames.port(service, ServiceNames.UDP).isPresent();
    return isForDatagrams ? RdmaPortSpace.UDP : RdmaPortSpace.TCP;
  }

  private static RdmaPortSpace spaceOf(@Nullable QpType type) {
    return type == QpType.UD ? RdmaPortSpace.UDP : RdmaPortSpace.TCP;
  }

  /** Checks type and port space, as getaddrinfo does {@code ai_socktype}, {@code ai_protocol}. */
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

  private static boolean isNumber(String service) {
    return service.matches("[0-9]+");
  }

  private static int portOf(String service, QpType type) {
    String protocol = type == QpType.UD ? ServiceNames.UDP : ServiceNames.TCP;
    if (!isNumber(service)) {
      return ServiceNames.port(service, protocol)
          .orElseThrow(() -> refusal(service, ServiceNames.absence(protocol)));
    }
    if (service.length() > MAX_DIGITS || Integer.parseInt(service) > MAX_PORT) {
      throw refusal(service, "");
    }
    return Integer.parseInt(service);
  }

  private static RdmaAddrinfoException refusal(String service, String addition) {
    return new RdmaAddrinfoException(
        Reason.SERVICE,
        Errno.EINVAL,
        "service " + service + " is no port from 0 to " + MAX_PORT + addition);
  }

  private static List<InetAddress> addresses(@Nullable String node, RdmaAddrinfo hints) {
    List<InetAddress> all = node == null ? ofThisHost(hints) : resolve(node, hints.flags());
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

  /** Addresses without a node, in the order of glibc, of which librdmacm takes the first. */
  private static List<InetAddress> ofThisHost(RdmaAddrinfo hints) {
    return hints.isPassive() ? ANY : LOOPBACK;
  }

  private static @Nullable InetAddress exampleOf(RdmaAddrinfo hints) {
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
