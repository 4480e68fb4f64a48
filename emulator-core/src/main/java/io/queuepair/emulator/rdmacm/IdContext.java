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
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Attributes and state of one id. Guarded by the lock of the host. */
final class IdContext {
  /** Value of the local ACK timeout if the program has set none. */
  static final int COMPUTED_ACK_TIMEOUT = -1;

  private final RdmaPortSpace portSpace;
  private final QpType qpType;
  private @Nullable EmulatedEventChannel channel;
  private boolean isSynchronous;
  private EmulatedRdmaCmId facade;
  private IdState state = IdState.IDLE;
  private @Nullable InetSocketAddress source;
  private @Nullable InetSocketAddress destination;
  private @Nullable HostDevice device;
  private CmMadAgent.@Nullable GidPosition position;
  private @Nullable RdmaPath path;
  private @Nullable NegotiatedParams negotiated;
  private @Nullable CmId cm;
  private @Nullable CmListener listener;
  private long serviceId;
  private boolean isRequest;
  private boolean isAccepted;
  private long knownLosses;
  private int trafficClass;
  private int ackTimeout = COMPUTED_ACK_TIMEOUT;
  private boolean reusesAddress;
  private boolean isForOneFamily;
  private Ece localEce = Ece.NONE;
  private Ece remoteEce = Ece.NONE;
  private UnackedEvents unackedEvents = UnackedEvents.NONE;

  IdContext(RdmaPortSpace portSpace, QpType qpType) {
    this.portSpace = portSpace;
    this.qpType = qpType;
  }

  RdmaPortSpace portSpace() {
    return portSpace;
  }

  QpType qpType() {
    return qpType;
  }

  /** Whether the connection joins an XRC initiator and an XRC target. */
  boolean isXrc() {
    return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
  }

  /** Whether the id exchanges datagrams instead of connecting. */
  boolean isDatagram() {
    return qpType == QpType.UD;
  }

  @Nullable EmulatedEventChannel channel() {
    return channel;
  }

  boolean isSynchronous() {
    return isSynchronous;
  }

  void report(@Nullable EmulatedEventChannel to, boolean synchronous) {
    channel = to;
    isSynchronous = synchronous;
  }

  EmulatedRdmaCmId facade() {
    return facade;
  }

  void setFacade(EmulatedRdmaCmId newFacade) {
    facade = newFacade;
  }

  IdState state() {
    return state;
  }

  void enter(IdState next) {
    state = next;
  }

  @Nullable InetSocketAddress source() {
    return source;
  }

  void setSource(InetSocketAddress address) {
    source = address;
  }

  @Nullable InetSocketAddress destination() {
    return destination;
  }

  void setDestination(InetSocketAddress address) {
    destination = address;
  }

  @Nullable HostDevice device() {
    return device;
  }

  /** Port and GID index by which the id sends; null before it is bound to a device. */
  CmMadAgent.@Nullable GidPosition place() {
    return position;
  }

  void bindTo(HostDevice newDevice, CmMadAgent.GidPosition newPlace) {
    device = newDevice;
    position = newPlace;
  }

  @Nullable RdmaPath path() {
    return path;
  }

  void setPath(RdmaPath newPath) {
    path = newPath;
  }

  @Nullable NegotiatedParams negotiated() {
    return negotiated;
  }

  void setNegotiated(NegotiatedParams newParams) {
    negotiated = newParams;
  }

  @Nullable CmId cm() {
    return cm;
  }

  void setCm(CmId id) {
    cm = id;
  }

  @Nullable CmListener listener() {
    return listener;
  }

  void setListener(CmListener newListener) {
    listener = newListener;
  }

  /** Service ID that a SIDR_REQ asked for. */
  long serviceId() {
    return serviceId;
  }

  void setServiceId(long id) {
    serviceId = id;
  }

  /** Number of known losses when the id last sent a message that is to be answered. */
  long knownLosses() {
    return knownLosses;
  }

  void noteLosses() {
    knownLosses = device.agent().knownLosses();
  }

  void markRequest() {
    isRequest = true;
  }

  /** Whether the id is of a request that the program has not accepted. Such an id has no events. */
  boolean isUnacceptedRequest() {
    return isRequest && !isAccepted;
  }

  boolean isAccepted() {
    return isAccepted;
  }

  void markAccepted() {
    isAccepted = true;
  }

  int trafficClass() {
    return trafficClass;
  }

  void setTrafficClass(int value) {
    trafficClass = value;
  }

  int ackTimeout() {
    return ackTimeout;
  }

  void setAckTimeout(int code) {
    ackTimeout = code;
  }

  boolean reusesAddress() {
    return reusesAddress;
  }

  void setReusesAddress(boolean reuses) {
    reusesAddress = reuses;
  }

  boolean isForOneFamily() {
    return isForOneFamily;
  }

  void setForOneFamily(boolean isForOne) {
    isForOneFamily = isForOne;
  }

  Ece localEce() {
    return localEce;
  }

  void setLocalEce(Ece ece) {
    localEce = ece;
  }

  Ece remoteEce() {
    return remoteEce;
  }

  void setRemoteEce(Ece ece) {
    remoteEce = ece;
  }

  /** Events of the id that were taken and not acknowledged. */
  UnackedEvents unackedEvents() {
    return unackedEvents;
  }

  void addTaken() {
    unackedEvents = unackedEvents.oneMore();
  }

  void removeTaken() {
    unackedEvents = unackedEvents.count() == 1 ? UnackedEvents.NONE : unackedEvents.less(1);
  }
}
