// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmListener;
import io.queuepair.emulator.device.AsyncEvents.UnackedEvents;
import io.queuepair.emulator.device.CmMadAgent;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attributes and state of one id. Guarded by the lock of the host. */
final class IdContext {
  /** Value of the local ACK timeout if the program has set none. */
  static final int COMPUTED_ACK_TIMEOUT = -1;

  final RdmaPortSpace portSpace;
  final QpType qpType;

  /** Devices that the id may use, as those of a network namespace of Linux. */
  final List<HostDevice> devices;

  @Nullable EmulatedEventChannel channel;
  boolean isSynchronous;

  /** Id that the program has. */
  EmulatedRdmaCmId facade;

  private IdState state = IdState.IDLE;
  @Nullable InetSocketAddress source;
  @Nullable InetSocketAddress destination;
  @Nullable HostDevice device;

  /** Port and GID index by which the id sends; null before it is bound to a device. */
  CmMadAgent.@Nullable GidPosition position;

  @Nullable RdmaPath path;
  @Nullable NegotiatedParams negotiated;
  @Nullable CmId cm;
  @Nullable CmListener listener;

  /** Service ID that a SIDR_REQ asked for. */
  long serviceId;

  boolean isRequest;
  boolean isAccepted;
  boolean hasConnectError;

  /** Number of known losses when the id last sent a message that is to be answered. */
  long knownLosses;

  int trafficClass;
  int ackTimeout = COMPUTED_ACK_TIMEOUT;
  boolean reusesAddress;
  boolean isForOneFamily;
  Ece localEce = Ece.NONE;
  Ece remoteEce = Ece.NONE;
  UnackedEvents unackedEvents = UnackedEvents.NONE;

  IdContext(RdmaPortSpace portSpace, QpType qpType, List<HostDevice> devices) {
    this.portSpace = portSpace;
    this.qpType = qpType;
    this.devices = devices;
  }

  /** Whether the connection joins an XRC initiator and an XRC target. */
  boolean isXrc() {
    return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
  }

  /** Whether the id exchanges datagrams instead of connecting. */
  boolean isDatagram() {
    return qpType == QpType.UD;
  }

  void report(@Nullable EmulatedEventChannel to, boolean synchronous) {
    channel = to;
    isSynchronous = synchronous;
  }

  IdState state() {
    return state;
  }

  void enter(IdState next) {
    state = next;
  }

  /** Device that has an address; null if the id may use none of that address. */
  @Nullable HostDevice deviceOf(InetAddress own) {
    for (HostDevice each : devices) {
      if (!each.isRemoved() && each.agent().placeOf(own) != null) {
        return each;
      }
    }
    return null;
  }

  void bindTo(HostDevice newDevice, CmMadAgent.GidPosition newPlace) {
    device = newDevice;
    position = newPlace;
  }

  void noteLosses() {
    knownLosses = device.agent().knownLosses();
  }

  /** Whether the id is of a request that the program has not accepted. Such an id has no events. */
  boolean isUnacceptedRequest() {
    return isRequest && !isAccepted;
  }

  void addTaken() {
    unackedEvents = unackedEvents.oneMore();
  }

  void removeTaken() {
    unackedEvents = unackedEvents.count() == 1 ? UnackedEvents.NONE : unackedEvents.less(1);
  }
}
