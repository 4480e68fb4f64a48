// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.AsyncEvents.UnackedEvents;
import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
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

/** An id as programs see it: checks arguments, enters the host, and waits in synchronous mode. */
final class EmulatedRdmaCmId extends AbstractRdmaCmId {
  /** How long the destruction of an id waits for other threads to acknowledge its events. */
  private static final Duration ACKNOWLEDGEMENT_TIMEOUT = Duration.ofSeconds(10);

  private static final String DESTROY = "rdma_destroy_id";
  private static final String CONNECT = "rdma_connect";
  private static final String ACCEPT = "rdma_accept";
  private static final String JOIN = "rdma_join_multicast";
  private static final String GET_REQUEST = "rdma_get_request";
  private static final String MIGRATE = "rdma_migrate_id";

  private final EmulatedRdmaCm host;
  private final HostDriver driver;
  private final IdContext id;
  private final EmulatedIdResources resources;
  private final MulticastJoins joins;
  private volatile List<RdmaAddrinfo> addresses = List.of();

  EmulatedRdmaCmId(EmulatedRdmaCm host, IdContext id) {
    this.host = host;
    this.id = id;
    driver = host.driver();
    resources = new EmulatedIdResources(host, id);
    joins = new MulticastJoins(host, id);
  }

  EmulatedRdmaCm host() {
    return host;
  }

  @Override
  protected EmulatedIdResources resources() {
    return resources;
  }

  private <T> T get(Function<IdContext, T> value) {
    return driver.call("rdma_cm_id", () -> value.apply(id));
  }

  private void run(String verb, Runnable body) {
    driver.run(
        verb,
        () -> {
          if (id.state() == IdState.DESTROYED) {
            throw new VerbsException(Errno.EINVAL, verb, "the id was destroyed");
          }
          driver.checkPresent(verb);
          body.run();
        });
  }

  @Override
  public RdmaEventChannel channel() {
    return get(of -> of.isSynchronous() ? null : of.channel());
  }

  @Override
  public Context verbs() {
    return get(of -> of.device() == null ? null : of.device().context());
  }

  @Override
  public int portNum() {
    return get(of -> of.place() == null ? 0 : of.place().portNum());
  }

  @Override
  public RdmaPortSpace ps() {
    return id.portSpace();
  }

  @Override
  public QpType qpType() {
    return id.qpType();
  }

  @Override
  public Optional<RdmaPath> route() {
    return Optional.ofNullable(get(IdContext::path));
  }

  @Override
  public @Nullable InetSocketAddress localAddr() {
    return get(IdContext::source);
  }

  @Override
  public @Nullable InetSocketAddress peerAddr() {
    return get(IdContext::destination);
  }

  @Override
  public void bindAddr(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    String verb = "rdma_bind_addr";
    run(verb, () -> host.binding().bind(verb, id, addr));
  }

  @Override
  public void resolveAddr(
      @Nullable InetSocketAddress src, InetSocketAddress dst, Duration timeout) {
    Objects.requireNonNull(dst, "dst");
    Objects.requireNonNull(timeout, "timeout");
    String verb = "rdma_resolve_addr";
    run(verb, () -> host.binding().resolveAddr(verb, id, src, dst, timeout));
    complete(verb);
  }

  @Override
  public void resolveRoute(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    String verb = "rdma_resolve_route";
    run(verb, () -> host.binding().resolveRoute(verb, id, timeout));
    complete(verb);
  }

  /** In synchronous mode, waits for the event of what was begun. */
  private void complete(String verb) {
    if (!driver.call(verb, id::isSynchronous)) {
      return;
    }
    EmulatedRdmaCmEvent event = id.channel().get(null).orElseThrow();
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
    run("rdma_create_qp", () -> resources.createQp(pd, qpInitAttr));
  }

  @Override
  public void createSrqEx(SrqInitAttrEx attr) {
    Objects.requireNonNull(attr, "attr");
    run("rdma_create_srq", () -> resources.createSrq(attr));
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
    run(CONNECT, () -> host.connecting().connect(CONNECT, id, param));
    complete(CONNECT);
  }

  @Override
  public void establish() {
    String verb = "rdma_establish";
    run(verb, () -> host.connecting().establish(verb, id));
  }

  @Override
  public void listen(int backlog) {
    String verb = "rdma_listen";
    run(
        verb,
        () -> {
          host.binding().listen(verb, id, backlog);
          host.listens(id);
        });
  }

  @Override
  public RdmaCmId getRequest() {
    run(
        GET_REQUEST,
        () -> {
          refuseUnless(id.isSynchronous(), GET_REQUEST, "the id has a channel");
          refuseUnless(id.state() == IdState.LISTEN, GET_REQUEST, "the id does not listen");
        });
    EmulatedRdmaCmEvent event = id.channel().get(null).orElseThrow();
    if (event.event() != RdmaCmEventType.CONNECT_REQUEST) {
      keep(event);
      throw new VerbsException(Errno.EINVAL, GET_REQUEST, "another event came: " + event);
    }
    EmulatedRdmaCmId request = event.context().facade();
    request.keep(event);
    boolean isReady = false;
    try {
      request.move(new EmulatedEventChannel(host, false), true);
      createForRequest(request);
      isReady = true;
      return request;
    } finally {
      if (!isReady) {
        request.close();
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
    run(ACCEPT, () -> host.connecting().accept(ACCEPT, id, param));
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
    run(verb, () -> host.connecting().reject(verb, id, reason, privateData));
  }

  @Override
  public void notify(EventType event) {
    Objects.requireNonNull(event, "event");
    run("rdma_notify", () -> host.connecting().notify("rdma_notify", id, event));
  }

  @Override
  public void disconnect() {
    String verb = "rdma_disconnect";
    boolean wasTold = driver.call(verb, () -> id.state() == IdState.DISCONNECT);
    run(verb, () -> host.connecting().disconnect(verb, id));
    boolean ends = driver.call(verb, () -> Connecting.isDisconnecting(id));
    RdmaCmEvent latest = event();
    boolean isToldAlready =
        wasTold && latest != null && latest.event() == RdmaCmEventType.DISCONNECTED;
    if (ends && !isToldAlready) {
      complete(verb);
    }
  }

  @Override
  public void joinMulticastEx(InetSocketAddress addr, RdmaMcJoinFlag joinFlag, Object joined) {
    Objects.requireNonNull(addr, "addr");
    Objects.requireNonNull(joinFlag, "joinFlag");
    run(JOIN, () -> joins.join(JOIN, addr, joinFlag, joined));
    complete(JOIN);
  }

  @Override
  public void leaveMulticast(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    if (event() instanceof EmulatedRdmaCmEvent kept && kept.group() != null) {
      kept.close();
    }
    MulticastJoins.Group group = driver.call("rdma_leave_multicast", () -> joins.leave(addr));
    MulticastJoins.detach(resources.qp(), group);
  }

  @Override
  public void setOption(RdmaOption option) {
    Objects.requireNonNull(option, "option");
    run("rdma_set_option", () -> new IdOptions("rdma_set_option", host, id).set(option));
  }

  @Override
  public void migrate(@Nullable RdmaEventChannel to) {
    EmulatedEventChannel channel =
        to == null ? new EmulatedEventChannel(host, false) : (EmulatedEventChannel) to;
    run(
        MIGRATE,
        () -> {
          refuseUnless(
              to != null || !id.isSynchronous(), MIGRATE, "the id is in synchronous mode already");
          refuseUnless(channel.host() == host, MIGRATE, "the channel is of another host");
          channel.check(MIGRATE);
        });
    keep(null);
    awaitAcknowledgements(MIGRATE);
    move(channel, to == null);
  }

  private void move(EmulatedEventChannel channel, boolean isSynchronous) {
    driver.run(
        MIGRATE,
        () -> {
          id.channel()
              .removeIf(event -> event.context() == id && event.listenerContext() == null)
              .forEach(channel::add);
          for (EmulatedRdmaCmEvent event :
              id.channel().removeIf(event -> event.listenerContext() == id)) {
            event.context().report(channel, false);
            channel.add(event);
          }
          id.report(channel, isSynchronous);
        });
  }

  private static void refuseUnless(boolean condition, String verb, String why) {
    if (!condition) {
      throw new VerbsException(Errno.EINVAL, verb, why);
    }
  }

  @Override
  public void resolveAddrinfo(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints) {
    String verb = "rdma_resolve_addrinfo";
    run(verb, () -> {});
    EventContent result;
    try {
      addresses = AddressLookup.lookUp(node, service, hints);
      result = EventContent.of(RdmaCmEventType.ADDRINFO_RESOLVED, 0, "");
    } catch (VerbsException refused) {
      addresses = List.of();
      int status = -refused.errno().code();
      result = EventContent.of(RdmaCmEventType.ADDRINFO_ERROR, status, refused.getMessage());
    }
    EventContent content = result;
    run(verb, () -> host.tell(id, content));
    complete(verb);
  }

  @Override
  public List<RdmaAddrinfo> queryAddrinfo() {
    List<RdmaAddrinfo> found = addresses;
    if (found.isEmpty()) {
      throw new VerbsException(
          Errno.ENOENT, "rdma_query_addrinfo", "no addresses were resolved by this id");
    }
    return found;
  }

  @Override
  public void writeCmEvent(RdmaCmEventType event, int status, Object arg) {
    Objects.requireNonNull(event, "event");
    String verb = "rdma_write_cm_event";
    refuseUnless(event == RdmaCmEventType.USER, verb, "only USER events can be written");
    run(verb, () -> host.tell(id, new EventContent(event, status, null, null, arg, "")));
  }

  @Override
  public QpAttr initQpAttr(QpState qpState) {
    Objects.requireNonNull(qpState, "qpState");
    return driver.call("rdma_init_qp_attr", () -> QpStates.of("rdma_init_qp_attr", id, qpState));
  }

  @Override
  public void setLocalEce(Ece ece) {
    Objects.requireNonNull(ece, "ece");
    String verb = "rdma_set_local_ece";
    run(
        verb,
        () -> {
          refuseUnless(resources.qp() == null, verb, "there is a queue pair on the id");
          id.setLocalEce(ece);
        });
  }

  @Override
  public Ece getRemoteEce() {
    String verb = "rdma_get_remote_ece";
    refuseUnless(resources.qp() == null, verb, "there is a queue pair on the id");
    return get(IdContext::remoteEce);
  }

  private void awaitAcknowledgements(String verb) {
    UnackedEvents atFirst = driver.call(verb, id::taken);
    if (atFirst.count() == 0) {
      return;
    }
    WaitDescription waitDescription = new WaitDescription(verb, () -> "events to be acknowledged");
    boolean areSettled =
        !atFirst.isCallers()
            && driver.canRelyOnOthers()
            && driver
                .await(
                    waitDescription,
                    () -> id.taken().count() == 0 ? this : null,
                    ACKNOWLEDGEMENT_TIMEOUT)
                .isPresent();
    if (!areSettled) {
      String whose = atFirst.isCallers() ? ": this thread took them" : "";
      throw new VerbsException(
          Errno.EBUSY, verb, atFirst.count() + " event(s) of it are not acknowledged" + whose);
    }
  }

  @Override
  public void close() {
    if (driver.call(DESTROY, id::state) == IdState.DESTROYED) {
      return;
    }
    acknowledgeLatest();
    awaitAcknowledgements(DESTROY);
    for (MulticastJoins.Group group : driver.call(DESTROY, joins::leaveAll)) {
      MulticastJoins.detach(resources.qp(), group);
    }
    destroyQp();
    destroySrq();
    driver.run(
        DESTROY,
        () -> {
          if (id.state() != IdState.DESTROYED) {
            host.forget(id);
            id.channel()
                .removeIf(event -> event.context() == id && event.listenerContext() == null);
            if (id.isSynchronous()) {
              id.channel().endWithId();
            }
          }
        });
  }

  @Override
  public String toString() {
    return "rdma_cm id (" + id.portSpace() + ", " + id.state() + ")";
  }
}
