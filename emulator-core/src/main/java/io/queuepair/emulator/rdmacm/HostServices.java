// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmServices;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmaHeader;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.TransportService;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Finds the id for a request, by its IP addresses. Called under the lock of the host. */
final class HostServices implements CmServices {
  private static final int PORT_BITS = 16;
  private static final int PORT_MASK = 0xffff;

  private final EmulatedHost host;
  private final PortSpaces ports;

  HostServices(EmulatedHost host, PortSpaces ports) {
    this.host = host;
    this.ports = ports;
  }

  static long serviceId(RdmaPortSpace space, int port) {
    return (long) space.code() << PORT_BITS | port;
  }

  static int portOf(long serviceId) {
    return (int) serviceId & PORT_MASK;
  }

  @Override
  public Admission admit(CmPeer from, CmMessage request) {
    IdContext listenerId = listener(from, request.serviceId(), request.privateData());
    boolean isForDatagrams = request.kind() == CmKind.SIDR_REQ;
    if (listenerId == null || (isForDatagrams && !listenerId.isDatagram())) {
      return Admission.refused(refusal(request.privateData()));
    }
    return isForDatagrams ? Admission.by(listenerId.listener) : admit(from, request, listenerId);
  }

  private Admission admit(CmPeer from, CmMessage req, IdContext listenerId) {
    Gid ownGid = own(from);
    if (!req.getGid(CmField.REQ_PRIMARY_REMOTE_GID).equals(ownGid)) {
      return Admission.refused(RejectReason.INVALID_GID);
    }
    boolean hasAlternate = req.isSet(CmField.REQ_ALTERNATE_LOCAL_LID);
    if (hasAlternate && !req.getGid(CmField.REQ_ALTERNATE_REMOTE_GID).equals(ownGid)) {
      return Admission.refused(RejectReason.INVALID_ALT_GID);
    }
    int ownMtu =
        host.driver()
            .devices()
            .get(from.device())
            .agent()
            .activeMtu(from.ahAttr().portNum())
            .code();
    if (req.getInt(CmField.REQ_PATH_MTU) > ownMtu) {
      return Admission.ofSmallerMtu(ownMtu);
    }
    return fits(listenerId.qpType, req.transportService())
        ? Admission.by(listenerId.listener)
        : Admission.refused(RejectReason.INVALID_TRANSPORT_TYPE);
  }

  @Override
  public void refused(CmPeer from, CmMessage req, RejectReason reason) {
    host.driver()
        .explain(
            from
                + " asked for a connection to port "
                + portOf(req.serviceId())
                + " and was rejected, reason "
                + reason.code()
                + ": "
                + reason.text()
                + ".");
  }

  @Override
  public void displaced(CmPeer peer) {
    host.driver().devices().get(peer.device()).agent().device().countDisplaced();
  }

  /** Own GID that a message was sent to. */
  private Gid own(CmPeer from) {
    HostDevice device = host.driver().devices().get(from.device());
    return device.agent().gidAt(EmulatedHost.placeOf(from));
  }

  private static boolean fits(QpType type, TransportService service) {
    return switch (type) {
      case RC -> service == TransportService.RC;
      case UC -> service == TransportService.UC;
      case XRC_RECV, XRC_SEND -> service == TransportService.EXTENDED;
      default -> false;
    };
  }

  /** Reason to refuse a request without a listener; as in Linux also for an unknown header. */
  private static RejectReason refusal(ImmutableBytes privateBytes) {
    return CmaHeader.read(privateBytes).hasIpAddresses()
        ? RejectReason.INVALID_SERVICE_ID
        : RejectReason.CONSUMER_DEFINED;
  }

  /** Id that listens for a service at the address in the private data; null if there is none. */
  private @Nullable IdContext listener(CmPeer from, long serviceId, ImmutableBytes privateBytes) {
    CmaHeader header = CmaHeader.read(privateBytes);
    if (!header.hasIpAddresses()) {
      return null;
    }
    InetAddress destination = header.destinationAddress();
    for (RdmaPortSpace space : RdmaPortSpace.values()) {
      if (serviceId >>> PORT_BITS == space.code()) {
        HostDevice device = host.driver().devices().get(from.device());
        InetSocketAddress to = new InetSocketAddress(destination, portOf(serviceId));
        return ports.listener(space, device, to);
      }
    }
    return null;
  }
}
