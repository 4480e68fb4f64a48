// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmListener;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.device.CmMadAgent;
import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.Action;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.emulator.rdmacm.HostDriver.Step;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Connection manager of one host: its ids, the owners of connections, and the listeners. */
public final class EmulatedHost implements RdmaCm, CProgramHost {
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  private final HostDriver driver;
  private final AddressResolver addressResolver;
  private final ConnectionSetup connectionSetup;
  private final EventDispatch dispatch = new EventDispatch(this);

  /** All ids that were not destroyed, in the order of creation. */
  private final Set<IdContext> ids = new LinkedHashSet<>();

  private final Map<CmId, IdContext> contexts = new LinkedHashMap<>();

  private final Map<CmListener, IdContext> listeners = new LinkedHashMap<>();

  private final Map<CmId, List<HeldQpn>> held = new LinkedHashMap<>();

  /** QPN that is not used again before the TIMEWAIT of its connection is over. */
  private record HeldQpn(HostDevice device, int qpn) {}

  /**
   * Creates the connection manager of a host.
   *
   * @param devices devices without a connection manager, at least one
   */
  public EmulatedHost(Scheduler scheduler, List<HcaDevice> devices) {
    PortSpaces ports = new PortSpaces();
    addressResolver = new AddressResolver(this, ports);
    driver = new HostDriver(this, scheduler, new HostServices(this, ports), devices);
    connectionSetup = new ConnectionSetup(driver);
  }

  HostDriver driver() {
    return driver;
  }

  AddressResolver addressResolver() {
    return addressResolver;
  }

  ConnectionSetup connectionSetup() {
    return connectionSetup;
  }

  EventDispatch dispatch() {
    return dispatch;
  }

  @Override
  public RdmaEventChannel createEventChannel() {
    return createEventChannel(driver.devices(), null);
  }

  private RdmaEventChannel createEventChannel(
      List<HostDevice> devices, @Nullable Runnable arrived) {
    try (Step step = driver.step("rdma_create_event_channel")) {
      driver.checkPresent(step.verb());
    }
    return new EmulatedEventChannel(this, devices, arrived);
  }

  @Override
  public RdmaEventChannel createReadAheadChannel(List<Integer> devices, Runnable arrived) {
    return createEventChannel(devices.stream().map(driver.devices()::get).toList(), arrived);
  }

  @Override
  public int stateOf(RdmaCmId id) {
    return ((EmulatedRdmaCmId) id).state().number();
  }

  @Override
  public void read(RdmaCmEvent event) {
    CmId cm = ((EmulatedRdmaCmEvent) event).context().cm;
    try (Step step = driver.step("rdma_get_cm_event")) {
      step.engine().taken(cm);
    }
  }

  @Override
  public RdmaCmId createId(RdmaPortSpace ps) {
    Objects.requireNonNull(ps, "ps");
    return createId(ps, null);
  }

  /** Creates an id; without a channel it is in synchronous mode. */
  EmulatedRdmaCmId createId(RdmaPortSpace space, @Nullable EmulatedEventChannel channel) {
    try (Step step = driver.step("rdma_create_id")) {
      List<HostDevice> devices = channel == null ? driver.devices() : channel.devices();
      IdContext id = new IdContext(space, AddressLookup.typeOf(space), devices);
      return add(step.verb(), id, channel);
    }
  }

  @Override
  public void explainRefusals(Consumer<String> explanations) {
    driver.explainRefusals(explanations);
  }

  private EmulatedRdmaCmId add(String verb, IdContext id, @Nullable EmulatedEventChannel channel) {
    driver.checkPresent(verb);
    if (channel != null) {
      channel.check(verb);
    }
    boolean isSynchronous = channel == null;
    id.report(isSynchronous ? ofOneId(id) : channel, isSynchronous);
    id.facade = new EmulatedRdmaCmId(this, id);
    ids.add(id);
    return id.facade;
  }

  /** Creates the channel of an id in synchronous mode. */
  EmulatedEventChannel ofOneId(IdContext id) {
    return new EmulatedEventChannel(this, id.devices, null);
  }

  /** Creates the id of a request, on the channel of the listening id. */
  IdContext createChild(IdContext listenerId) {
    IdContext childId = new IdContext(listenerId.portSpace, listenerId.qpType, listenerId.devices);
    childId.isRequest = true;
    childId.report(listenerId.channel, false);
    childId.facade = new EmulatedRdmaCmId(this, childId);
    ids.add(childId);
    return childId;
  }

  @Override
  public List<Context> getDevices() {
    try (Step step = driver.step("rdma_get_devices")) {
      driver.checkPresent(step.verb());
      return driver.devices().stream()
          .filter(device -> !device.isRemoved())
          .map(HostDevice::context)
          .toList();
    }
  }

  @Override
  public List<RdmaAddrinfo> getaddrinfo(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints) {
    return AddressLookup.lookUp(node, service, hints);
  }

  @Override
  public RdmaCmId createEp(
      RdmaAddrinfo res, @Nullable ProtectionDomain pd, @Nullable QpInitAttr qpInitAttr) {
    Objects.requireNonNull(res, "res");
    RdmaPortSpace space = res.portSpace() == null ? RdmaPortSpace.TCP : res.portSpace();
    QpType type = res.qpType() == null ? AddressLookup.typeOf(space) : res.qpType();
    EmulatedRdmaCmId id = createSynchronous(space, type);
    boolean isMade = false;
    try {
      if (res.isPassive()) {
        id.bindAddr(res.srcAddr());
        id.keepForRequests(pd, qpInitAttr);
      } else {
        id.resolveAddr(res.srcAddr(), res.dstAddr(), RESOLVE_TIMEOUT);
        id.resolveRoute(RESOLVE_TIMEOUT);
        id.createFor(pd, qpInitAttr);
      }
      isMade = true;
      return id;
    } finally {
      if (!isMade) {
        id.close();
      }
    }
  }

  private EmulatedRdmaCmId createSynchronous(RdmaPortSpace space, QpType type) {
    try (Step step = driver.step("rdma_create_ep")) {
      return add(step.verb(), new IdContext(space, type, driver.devices()), null);
    }
  }

  void own(CmId cm, IdContext id) {
    contexts.put(cm, id);
  }

  /** Owner of an end of a connection; null if it has none any more. */
  @Nullable IdContext ownerOf(CmId cm) {
    return contexts.get(cm);
  }

  void listens(IdContext id) {
    listeners.put(id.listener, id);
  }

  /** Id of a listener; null if the listener is closed. */
  @Nullable IdContext listening(@Nullable CmListener listener) {
    return EventDispatch.isOpen(listener) ? listeners.get(listener) : null;
  }

  /** Describes what connections, ids and events wait for, one sentence each. */
  public List<String> describeBlockedWork() {
    return driver.describeBlockedWork();
  }

  /** Describes what listening ids wait for, and events not acknowledged; under the lock. */
  List<String> describeIds() {
    List<String> sentences = new ArrayList<>();
    for (IdContext id : ids) {
      // A synchronous id acknowledges its events itself.
      if (id.unackedEvents.count() > 0 && !id.isSynchronous) {
        sentences.add(
            id.facade
                + ": "
                + Quantity.of(id.unackedEvents.count(), "event")
                + " taken and not acknowledged (rdma_ack_cm_event), for which"
                + " rdma_destroy_id waits");
      }
    }
    listeners.values().stream().map(EmulatedHost::describeListener).forEach(sentences::add);
    return sentences;
  }

  private static String describeListener(IdContext id) {
    int waiting = id.listener.pending();
    return "rdma_cm: "
        + id.source.getAddress().getHostAddress()
        + " port "
        + id.source.getPort()
        + " ("
        + id.portSpace
        + ") listens: "
        + (waiting == 0
            ? "waits for a request"
            : Quantity.of(waiting, "request") + " wait for the program to take them");
  }

  void tell(IdContext id, EventContent content) {
    tell(id, content, Action.NONE, null);
  }

  void tell(
      IdContext id, EventContent content, Action action, MulticastJoins.@Nullable Group group) {
    id.channel.add(new EmulatedRdmaCmEvent(this, id, null, content, action).about(group));
  }

  void tellRequest(IdContext id, IdContext listenerId, EventContent content) {
    var event = new EmulatedRdmaCmEvent(this, id, listenerId, content, Action.NONE);
    if (!id.channel.add(event)) {
      forget(id);
    }
  }

  /** Own port and GID index in the address of a peer. */
  static CmMadAgent.GidPosition placeOf(CmPeer peer) {
    return new CmMadAgent.GidPosition(peer.ahAttr().portNum(), peer.ahAttr().grh().sgidIndex());
  }

  /** Reserves the QPN of a destroyed queue pair while its connection may have packets in flight. */
  void holdQpn(IdContext id, int qpn) {
    try (Step step = driver.step("rdma_destroy_qp")) {
      CmId cm = id.cm;
      if (cm != null && !id.device.isRemoved()) {
        id.device.agent().holdQpn(qpn);
        held.computeIfAbsent(cm, k -> new ArrayList<>()).add(new HeldQpn(id.device, qpn));
      }
    }
  }

  /** Frees the reserved QPNs of a connection whose TIMEWAIT is over. */
  void releaseQpn(CmId cm) {
    List<HeldQpn> heldQpns = held.remove(cm);
    for (HeldQpn heldQpn : heldQpns == null ? List.<HeldQpn>of() : heldQpns) {
      if (!heldQpn.device().isRemoved()) {
        heldQpn.device().agent().releaseQpn(heldQpn.qpn());
      }
    }
    IdContext id = contexts.get(cm);
    if (id != null && id.state() == IdState.DESTROYED) {
      contexts.remove(cm);
    }
  }

  /** Destroys an id with its connection; the peer is notified. */
  void forget(IdContext id) {
    addressResolver.release(id);
    ids.remove(id);
    id.enter(IdState.DESTROYED);
    if (id.listener != null) {
      stopListening(id);
    }
    if (id.cm != null) {
      driver.engine().destroy(id.cm, driver.nowNanos());
      if (!id.cm.holdsQpn()) {
        releaseQpn(id.cm);
      }
    }
  }

  /** Closes the listener of an id; requests that were not taken are rejected. */
  private void stopListening(IdContext id) {
    id.listener.close();
    listeners.remove(id.listener);
    refuseRequests(id.channel.removeIf(event -> event.listenerContext() == id));
  }

  /** Rejects the requests among events that will never be taken. */
  void refuseRequests(List<EmulatedRdmaCmEvent> events) {
    for (EmulatedRdmaCmEvent event : events) {
      if (event.listenerContext() != null) {
        forget(event.context());
      }
    }
  }

  /** Notifies the ids of a device whose addresses have changed or which was removed. */
  void changed(HostDevice device) {
    for (IdContext id : List.copyOf(ids)) {
      if (id.device != device) {
        continue;
      }
      if (device.isRemoved()) {
        remove(id);
      } else if (device.agent().placeOf(id.source.getAddress()) == null) {
        String why =
            "The device has the address " + id.source.getAddress().getHostAddress() + " no more.";
        tellOfDevice(id, RdmaCmEventType.ADDR_CHANGE, why);
      }
    }
  }

  private void remove(IdContext id) {
    if (id.state() == IdState.DEVICE_REMOVAL) {
      return;
    }
    id.enter(IdState.DEVICE_REMOVAL);
    addressResolver.cancel(id);
    if (id.cm != null) {
      driver.engine().destroy(id.cm, driver.nowNanos());
    }
    String why = "The device " + id.device.agent().device().name() + " is gone.";
    tellOfDevice(id, RdmaCmEventType.DEVICE_REMOVAL, why);
  }

  private void tellOfDevice(IdContext id, RdmaCmEventType type, String why) {
    if (!id.isUnacceptedRequest()) {
      tell(id, EventContent.of(type, 0, why));
    }
  }

  public int idCount() {
    try (Step step = driver.step("rdma_cm")) {
      return ids.size();
    }
  }

  /** Number of ends of connections, including those of destroyed ids. */
  public int endCount() {
    try (Step step = driver.step("rdma_cm")) {
      return step.engine().size();
    }
  }

  /**
   * Ends all connections, as the kernel does when a process ends.
   *
   * @param isElsewhere whether the device of an address stays, so that its host is to be notified
   */
  public void close(Predicate<InetAddress> isElsewhere) {
    driver.close(isElsewhere);
  }

  @Override
  public String toString() {
    return "rdma_cm of " + driver.devices().stream().map(d -> d.agent().device().name()).toList();
  }
}
