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

/** The connection manager of one host: its ids, who owns which connection, who listens. */
public final class EmulatedHost implements RdmaCm, CProgramHost {
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  private final HostDriver driver;
  private final AddressResolver addressResolver;
  private final ConnectionSetup connectionSetup;
  private final EventDispatch dispatch = new EventDispatch(this);

  /** All ids that were not destroyed, in the order in which they were made. */
  private final Set<IdContext> ids = new LinkedHashSet<>();

  private final Map<CmId, IdContext> contexts = new LinkedHashMap<>();

  private final Map<CmListener, IdContext> listeners = new LinkedHashMap<>();

  private final Map<CmId, List<HeldQpn>> held = new LinkedHashMap<>();

  /** A number that is not used again before its time-wait is over. */
  private record HeldQpn(HostDevice device, int qpn) {}

  /**
   * The connection manager of a host that has some devices, one at least.
   *
   * @param devices devices without a connection manager
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
    return createEventChannel(false);
  }

  private RdmaEventChannel createEventChannel(boolean isReadAhead) {
    try (Step step = driver.step("rdma_create_event_channel")) {
      driver.checkPresent(step.verb());
    }
    return new EmulatedEventChannel(this, isReadAhead);
  }

  @Override
  public RdmaEventChannel createReadAheadChannel() {
    return createEventChannel(true);
  }

  @Override
  public int stateOf(RdmaCmId id) {
    return ((EmulatedRdmaCmId) id).state().number();
  }

  @Override
  public void read(RdmaCmEvent event) {
    CmId cm = ((EmulatedRdmaCmEvent) event).context().cm();
    try (Step step = driver.step("rdma_get_cm_event")) {
      step.engine().taken(cm);
    }
  }

  @Override
  public RdmaCmId createId(RdmaPortSpace ps) {
    Objects.requireNonNull(ps, "ps");
    return createId(ps, null);
  }

  /** A new id; without channel it is in synchronous mode. */
  EmulatedRdmaCmId createId(RdmaPortSpace space, @Nullable EmulatedEventChannel channel) {
    try (Step step = driver.step("rdma_create_id")) {
      return add(step.verb(), new IdContext(space, AddressLookup.typeOf(space)), channel);
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
    id.report(isSynchronous ? new EmulatedEventChannel(this, false) : channel, isSynchronous);
    id.setFacade(new EmulatedRdmaCmId(this, id));
    ids.add(id);
    return id.facade();
  }

  /** The id of a request, on the channel of the one that listens. */
  IdContext createChild(IdContext listenerId) {
    IdContext childId = new IdContext(listenerId.portSpace(), listenerId.qpType());
    childId.markRequest();
    childId.report(listenerId.channel(), false);
    childId.setFacade(new EmulatedRdmaCmId(this, childId));
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
      return add(step.verb(), new IdContext(space, type), null);
    }
  }

  /** The end of a connection belongs to an id from now on. */
  void own(CmId cm, IdContext id) {
    contexts.put(cm, id);
  }

  /** The id of an end; null if it was destroyed long ago. */
  @Nullable IdContext ownerOf(CmId cm) {
    return contexts.get(cm);
  }

  void listens(IdContext id) {
    listeners.put(id.listener(), id);
  }

  /** The id that listens; null if it does not any more. */
  @Nullable IdContext listening(@Nullable CmListener listener) {
    return EventDispatch.isOpen(listener) ? listeners.get(listener) : null;
  }

  /** Describes the waits of connections, ids and events, a sentence each. */
  public List<String> describeBlockedWork() {
    return driver.describeBlockedWork();
  }

  /**
   * Describes what ids that listen wait for, and events that were not acknowledged; under the lock.
   */
  List<String> describeIds() {
    List<String> sentences = new ArrayList<>();
    for (IdContext id : ids) {
      // A synchronous id acknowledges by itself.
      if (id.unackedEvents().count() > 0 && !id.isSynchronous()) {
        sentences.add(
            id.facade()
                + ": "
                + Quantity.of(id.unackedEvents().count(), "event")
                + " taken and not acknowledged (rdma_ack_cm_event), for which"
                + " rdma_destroy_id waits");
      }
    }
    listeners.values().stream().map(EmulatedHost::describeListener).forEach(sentences::add);
    return sentences;
  }

  private static String describeListener(IdContext id) {
    int waiting = id.listener().pending();
    return "rdma_cm: "
        + id.source().getAddress().getHostAddress()
        + " port "
        + id.source().getPort()
        + " ("
        + id.portSpace()
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
    id.channel().add(new EmulatedRdmaCmEvent(this, id, null, content, action).about(group));
  }

  void tellRequest(IdContext id, IdContext listenerId, EventContent content) {
    var event = new EmulatedRdmaCmEvent(this, id, listenerId, content, Action.NONE);
    if (!id.channel().add(event)) {
      forget(id);
    }
  }

  /** Where a message was sent to. */
  static CmMadAgent.GidPosition placeOf(CmPeer peer) {
    return new CmMadAgent.GidPosition(peer.ahAttr().portNum(), peer.ahAttr().grh().sgidIndex());
  }

  /** Keeps the number of a queue pair while its connection may have packets on their way. */
  void holdQpn(IdContext id, int qpn) {
    try (Step step = driver.step("rdma_destroy_qp")) {
      CmId cm = id.cm();
      if (cm != null && !id.device().isRemoved()) {
        id.device().agent().holdQpn(qpn);
        held.computeIfAbsent(cm, k -> new ArrayList<>()).add(new HeldQpn(id.device(), qpn));
      }
    }
  }

  /** The time-wait of a connection is over. */
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

  /** Lets an id go with its connection, of which the peer is notified. */
  void forget(IdContext id) {
    addressResolver.release(id);
    ids.remove(id);
    id.enter(IdState.DESTROYED);
    if (id.listener() != null) {
      stopListening(id);
    }
    if (id.cm() != null) {
      driver.engine().destroy(id.cm(), driver.nowNanos());
      if (!id.cm().holdsQpn()) {
        releaseQpn(id.cm());
      }
    }
  }

  /** Requests that were not taken are rejected. */
  private void stopListening(IdContext id) {
    id.listener().close();
    listeners.remove(id.listener());
    refuseRequests(id.channel().removeIf(event -> event.listenerContext() == id));
  }

  /** Rejects the requests among events that will never be taken. */
  void refuseRequests(List<EmulatedRdmaCmEvent> events) {
    for (EmulatedRdmaCmEvent event : events) {
      if (event.listenerContext() != null) {
        forget(event.context());
      }
    }
  }

  /** The addresses of a device have changed, or it is gone. */
  void changed(HostDevice device) {
    for (IdContext id : List.copyOf(ids)) {
      if (id.device() != device) {
        continue;
      }
      if (device.isRemoved()) {
        remove(id);
      } else if (device.agent().placeOf(id.source().getAddress()) == null) {
        String why =
            "The device has the address " + id.source().getAddress().getHostAddress() + " no more.";
        tell(id, EventContent.of(RdmaCmEventType.ADDR_CHANGE, 0, why));
      }
    }
  }

  private void remove(IdContext id) {
    if (id.state() == IdState.DEVICE_REMOVAL) {
      return;
    }
    id.enter(IdState.DEVICE_REMOVAL);
    if (id.cm() != null) {
      driver.engine().destroy(id.cm(), driver.nowNanos());
    }
    String why = "The device " + id.device().agent().device().name() + " is gone.";
    tell(id, EventContent.of(RdmaCmEventType.DEVICE_REMOVAL, 0, why));
  }

  /** How many ids there are that were not destroyed. */
  public int idCount() {
    try (Step step = driver.step("rdma_cm")) {
      return ids.size();
    }
  }

  /** How many ends of connections there are, also such as only wait for their end. */
  public int endCount() {
    try (Step step = driver.step("rdma_cm")) {
      return step.engine().size();
    }
  }

  /**
   * Ends all connections, as the kernel does when a process ends.
   *
   * @param isElsewhere whether a device of an address stays, so that its host is to be notified
   */
  public void close(Predicate<InetAddress> isElsewhere) {
    driver.close(isElsewhere);
  }

  @Override
  public String toString() {
    return "rdma_cm of " + driver.devices().stream().map(d -> d.agent().device().name()).toList();
  }
}
