// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.AsyncEvents.UnackedEvents;
import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.emulator.rdmacm.HostDriver.Step;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.AbstractRdmaCmId;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Id as programs see it: checks arguments, calls the host, and waits in synchronous mode. */
final class EmulatedRdmaCmId extends AbstractRdmaCmId {
  /** Time that the destruction of an id waits for other threads to acknowledge its events. */
  private static final Duration ACKNOWLEDGEMENT_TIMEOUT = Duration.ofSeconds(10);

  private static final String DESTROY = "rdma_destroy_id";
  private static final String RESOLVE_ADDR = "rdma_resolve_addr";
  private static final String RESOLVE_ROUTE = "rdma_resolve_route";
  private static final String RESOLVE_ADDRINFO = "rdma_resolve_addrinfo";
  private static final String DISCONNECT = "rdma_disconnect";
  private static final String CONNECT = "rdma_connect";
  private static final String ACCEPT = "rdma_accept";
  private static final String JOIN = "rdma_join_multicast";
  private static final String GET_REQUEST = "rdma_get_request";
  private static final String MIGRATE = "rdma_migrate_id";

  private final EmulatedHost host;
  private final HostDriver driver;
  private final IdContext id;
  private final EmulatedIdResources resources;
  private final MulticastJoins joins;
  private volatile List<RdmaAddrinfo> addrinfos = List.of();

  EmulatedRdmaCmId(EmulatedHost host, IdContext id) {
    this.host = host;
    this.id = id;
    driver = host.driver();
    resources = new EmulatedIdResources(host, id);
    joins = new MulticastJoins(host, id);
  }

  EmulatedHost host() {
    return host;
  }

  @Override
  protected EmulatedIdResources resources() {
    return resources;
  }

  private <T> T get(Function<IdContext, T> value) {
    return get("rdma_cm_id", value);
  }

  private <T> T get(String verb, Function<IdContext, T> value) {
    try (Step step = driver.step(verb)) {
      return value.apply(id);
    }
  }

  IdState state() {
    return get(IdContext::state);
  }

  @Override
  public RdmaEventChannel channel() {
    return get(context -> context.isSynchronous ? null : context.channel);
  }

  @Override
  public Context verbs() {
    return get(context -> context.device == null ? null : context.device.context());
  }

  @Override
  public int portNum() {
    return get(context -> context.position == null ? 0 : context.position.portNum());
  }

  @Override
  public RdmaPortSpace ps() {
    return id.portSpace;
  }

  @Override
  public QpType qpType() {
    return id.qpType;
  }

  @Override
  public Optional<RdmaPath> route() {
    return Optional.ofNullable(get(context -> context.path));
  }

  @Override
  public @Nullable InetSocketAddress localAddr() {
    return get(context -> context.source);
  }

  @Override
  public @Nullable InetSocketAddress peerAddr() {
    return get(context -> context.destination);
  }

  @Override
  public void bindAddr(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    try (Step step = driver.step("rdma_bind_addr", id)) {
      host.addressResolver().bind(step.verb(), id, addr);
    }
  }

  @Override
  public void resolveAddr(
      @Nullable InetSocketAddress src, InetSocketAddress dst, Duration timeout) {
    Objects.requireNonNull(dst, "dst");
    Objects.requireNonNull(timeout, "timeout");
    try (Step step = driver.step(RESOLVE_ADDR, id)) {
      host.addressResolver().resolveAddr(step.verb(), id, src, dst, timeout);
    }
    complete(RESOLVE_ADDR);
  }

  @Override
  public void resolveRoute(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    try (Step step = driver.step(RESOLVE_ROUTE, id)) {
      host.addressResolver().resolveRoute(step.verb(), id, timeout);
    }
    complete(RESOLVE_ROUTE);
  }

  /** Waits for the event of an operation if the id is in synchronous mode. */
  private void complete(String verb) {
    if (!get(verb, context -> context.isSynchronous)) {
      return;
    }
    EmulatedRdmaCmEvent event = id.channel.get(null).orElseThrow();
    keep(event);
    if (event.event() == RdmaCmEventType.REJECTED) {
      throw new VerbsException(Errno.ECONNREFUSED, verb, event.explain());
    }
    if (event.status() != 0) {
      String why = event.explain().isEmpty() ? event.toString() : event.explain();
      throw new VerbsException(errnoOf(event.status()), verb, why);
    }
  }

  private static Errno errnoOf(int status) {
    for (Errno errno : Errno.values()) {
      if (errno.code() == -status) {
        return errno;
      }
    }
    return Errno.ECONNREFUSED;
  }

  @Override
  public void createQpEx(@Nullable ProtectionDomain pd, QpInitAttrEx qpInitAttr) {
    Objects.requireNonNull(qpInitAttr, "qpInitAttr");
    try (Step step = driver.step("rdma_create_qp", id)) {
      resources.createQp(pd, qpInitAttr);
    }
  }

  @Override
  public void createSrqEx(SrqInitAttrEx attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.step("rdma_create_srq", id)) {
      resources.createSrq(attr);
    }
  }

  @Override
  public void connect() {
    connectWith(null);
  }

  @Override
  public void connect(RdmaConnParam param) {
    Objects.requireNonNull(param, "param");
    connectWith(param);
  }

  private void connectWith(@Nullable RdmaConnParam param) {
    try (Step step = driver.step(CONNECT, id)) {
      host.connectionSetup().connect(step.verb(), id, param);
    }
    complete(CONNECT);
  }

  @Override
  public void establish() {
    try (Step step = driver.step("rdma_establish", id)) {
      host.connectionSetup().establish(step.verb(), id);
    }
  }

  @Override
  public void listen(int backlog) {
    try (Step step = driver.step("rdma_listen", id)) {
      host.addressResolver().listen(step.verb(), id, backlog);
      host.listens(id);
    }
  }

  @Override
  public RdmaCmId getRequest() {
    try (Step step = driver.step(GET_REQUEST, id)) {
      step.check(id.isSynchronous, "the id has a channel");
      step.check(id.state() == IdState.LISTEN, "the id does not listen");
    }
    EmulatedRdmaCmEvent event = id.channel.get(null).orElseThrow();
    if (event.event() != RdmaCmEventType.CONNECT_REQUEST) {
      keep(event);
      throw new VerbsException(Errno.EINVAL, GET_REQUEST, "another event came: " + event);
    }
    EmulatedRdmaCmId requestId = event.context().facade;
    requestId.keep(event);
    boolean isReady = false;
    try {
      requestId.move(host.ofOneId(event.context()), true);
      createForRequest(requestId);
      isReady = true;
      return requestId;
    } finally {
      if (!isReady) {
        requestId.close();
      }
    }
  }

  @Override
  public void accept() {
    acceptWith(null);
  }

  @Override
  public void accept(RdmaConnParam param) {
    Objects.requireNonNull(param, "param");
    acceptWith(param);
  }

  private void acceptWith(@Nullable RdmaConnParam param) {
    try (Step step = driver.step(ACCEPT, id)) {
      host.connectionSetup().accept(step.verb(), id, param);
    }
    if (!id.isDatagram()) {
      complete(ACCEPT);
    }
  }

  @Override
  public void reject(byte[] privateData) {
    reject("rdma_reject", RejectReason.CONSUMER_DEFINED, privateData);
  }

  @Override
  public void rejectEce(byte[] privateData) {
    reject("rdma_reject_ece", RejectReason.VENDOR_OPTION_NOT_SUPPORTED, privateData);
  }

  private void reject(String verb, RejectReason reason, byte[] privateData) {
    Objects.requireNonNull(privateData, "privateData");
    try (Step step = driver.step(verb, id)) {
      host.connectionSetup().reject(step.verb(), id, reason, privateData);
    }
  }

  @Override
  public void notify(EventType event) {
    Objects.requireNonNull(event, "event");
    try (Step step = driver.step("rdma_notify", id)) {
      host.connectionSetup().notify(step.verb(), id, event);
    }
  }

  @Override
  public void disconnect() {
    boolean wasTold = get(DISCONNECT, context -> context.state() == IdState.DISCONNECT);
    try (Step step = driver.step(DISCONNECT, id)) {
      host.connectionSetup().disconnect(step.verb(), id);
    }
    boolean ends = get(DISCONNECT, ConnectionSetup::isDisconnecting);
    RdmaCmEvent latestEvent = event();
    boolean isToldAlready =
        wasTold && latestEvent != null && latestEvent.event() == RdmaCmEventType.DISCONNECTED;
    if (ends && !isToldAlready) {
      complete(DISCONNECT);
    }
  }

  @Override
  public void joinMulticastEx(InetSocketAddress addr, RdmaMcJoinFlag joinFlag, Object joined) {
    Objects.requireNonNull(addr, "addr");
    Objects.requireNonNull(joinFlag, "joinFlag");
    try (Step step = driver.step(JOIN, id)) {
      joins.join(step.verb(), addr, joinFlag, joined);
    }
    complete(JOIN);
  }

  @Override
  public void leaveMulticast(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    if (event() instanceof EmulatedRdmaCmEvent keptEvent && keptEvent.group() != null) {
      keptEvent.close();
    }
    MulticastJoins.Group group = get("rdma_leave_multicast", context -> joins.leave(addr));
    MulticastJoins.detach(resources.qp(), group);
  }

  @Override
  public void setOption(RdmaOption option) {
    Objects.requireNonNull(option, "option");
    try (Step step = driver.step("rdma_set_option", id)) {
      new IdOptions(step.verb(), host, id).set(option);
    }
  }

  @Override
  public void migrate(@Nullable RdmaEventChannel to) {
    EmulatedEventChannel channel = to == null ? host.ofOneId(id) : (EmulatedEventChannel) to;
    try (Step step = driver.step(MIGRATE, id)) {
      boolean changes = to != null || !id.isSynchronous;
      step.check(changes, "the id is in synchronous mode already");
      step.check(channel.host() == host, "the channel is of another host");
      channel.check(MIGRATE);
    }
    keep(null);
    awaitAcknowledgements(MIGRATE);
    move(channel, to == null);
  }

  private void move(EmulatedEventChannel channel, boolean isSynchronous) {
    try (Step step = driver.step(MIGRATE)) {
      id.channel
          .removeIf(event -> event.context() == id && event.listenerContext() == null)
          .forEach(channel::add);
      for (EmulatedRdmaCmEvent event :
          id.channel.removeIf(event -> event.listenerContext() == id)) {
        event.context().report(channel, false);
        channel.add(event);
      }
      id.report(channel, isSynchronous);
    }
  }

  static void refuseUnless(boolean condition, String verb, String why) {
    if (!condition) {
      throw new VerbsException(Errno.EINVAL, verb, why);
    }
  }

  @Override
  public void resolveAddrinfo(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints) {
    checkUsable(RESOLVE_ADDRINFO);
    EventContent content;
    try {
      addrinfos = AddressLookup.lookUp(node, service, hints);
      content = EventContent.of(RdmaCmEventType.ADDRINFO_RESOLVED, 0, "");
    } catch (VerbsException e) {
      addrinfos = List.of();
      int status = -e.errno().code();
      content = EventContent.of(RdmaCmEventType.ADDRINFO_ERROR, status, e.getMessage());
    }
    tell(RESOLVE_ADDRINFO, content);
    complete(RESOLVE_ADDRINFO);
  }

  private void checkUsable(String verb) {
    try (Step step = driver.step(verb, id)) {}
  }

  private void tell(String verb, EventContent content) {
    try (Step step = driver.step(verb, id)) {
      host.tell(id, content);
    }
  }

  @Override
  public List<RdmaAddrinfo> queryAddrinfo() {
    List<RdmaAddrinfo> foundAddrinfos = addrinfos;
    if (foundAddrinfos.isEmpty()) {
      throw new VerbsException(
          Errno.ENOENT, "rdma_query_addrinfo", "no addresses were resolved by this id");
    }
    return foundAddrinfos;
  }

  @Override
  public void writeCmEvent(RdmaCmEventType event, int status, Object arg) {
    Objects.requireNonNull(event, "event");
    String verb = "rdma_write_cm_event";
    refuseUnless(event.isWritten(), verb, "only USER and INTERNAL events can be written");
    tell(verb, new EventContent(event, status, null, null, arg, ""));
  }

  @Override
  public QpAttr initQpAttr(QpState qpState) {
    Objects.requireNonNull(qpState, "qpState");
    try (Step step = driver.step("rdma_init_qp_attr")) {
      return QpStates.of(step.verb(), id, qpState);
    }
  }

  @Override
  public void setLocalEce(Ece ece) {
    Objects.requireNonNull(ece, "ece");
    try (Step step = driver.step("rdma_set_local_ece", id)) {
      step.check(resources.qp() == null, "there is a queue pair on the id");
      id.localEce = ece;
    }
  }

  @Override
  public Ece getRemoteEce() {
    String verb = "rdma_get_remote_ece";
    refuseUnless(resources.qp() == null, verb, "there is a queue pair on the id");
    return get(context -> context.remoteEce);
  }

  private void awaitAcknowledgements(String verb) {
    UnackedEvents eventsAtFirst = get(verb, context -> context.unackedEvents);
    if (eventsAtFirst.count() == 0) {
      return;
    }
    WaitDescription waitDescription = new WaitDescription(verb, () -> "events to be acknowledged");
    boolean areSettled =
        !eventsAtFirst.isCallers()
            && driver.canRelyOnOthers()
            && driver
                .await(
                    waitDescription,
                    () -> id.unackedEvents.count() == 0 ? this : null,
                    ACKNOWLEDGEMENT_TIMEOUT)
                .isPresent();
    if (!areSettled) {
      String whose = eventsAtFirst.isCallers() ? ": this thread took them" : "";
      throw new VerbsException(
          Errno.EBUSY,
          verb,
          eventsAtFirst.count() + " event(s) of it are not acknowledged" + whose);
    }
  }

  @Override
  public void close() {
    if (get(DESTROY, IdContext::state) == IdState.DESTROYED) {
      return;
    }
    acknowledgeLatest();
    awaitAcknowledgements(DESTROY);
    for (MulticastJoins.Group group : get(DESTROY, context -> joins.leaveAll())) {
      MulticastJoins.detach(resources.qp(), group);
    }
    destroyQp();
    destroySrq();
    release();
  }

  private void release() {
    try (Step step = driver.step(DESTROY)) {
      if (id.state() != IdState.DESTROYED) {
        host.forget(id);
        id.channel.removeIf(event -> event.context() == id && event.listenerContext() == null);
        if (id.isSynchronous) {
          id.channel.endWithId();
        }
      }
    }
  }

  @Override
  public String toString() {
    return "rdma_cm id (" + id.portSpace + ", " + id.state() + ")";
  }
}
