// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.AbstractRdmaCmId;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An id. In synchronous mode it waits here, where threads can be interrupted, and not in C. */
final class NativeRdmaCmId extends AbstractRdmaCmId {
  private static final String DESTROY = "rdma_destroy_id";
  private static final String MIGRATE = "rdma_migrate_id";
  private static final String GET_REQUEST = "rdma_get_request";
  private static final String BIND = "rdma_bind_addr";
  private static final String RESOLVE_ADDR = "rdma_resolve_addr";
  private static final String CONNECT = "rdma_connect";
  private static final String DISCONNECT = "rdma_disconnect";
  private static final String ACCEPT = "rdma_accept";

  private static final int VERBS = offset("verbs");
  private static final int PORT_SPACE = offset("ps");
  private static final int PORT_NUM = offset("port_num");
  private static final int QP_TYPE = offset("qp_type");
  private static final int ROUTE = offset("route");
  private static final int SRC_ADDR = ROUTE + VerbsAbi.offset("rdma_addr.src_addr");
  private static final int DST_ADDR = ROUTE + VerbsAbi.offset("rdma_addr.dst_addr");
  private static final int PATH_REC = ROUTE + VerbsAbi.offset("rdma_route.path_rec");
  private static final int NUM_PATHS = ROUTE + VerbsAbi.offset("rdma_route.num_paths");

  private final NativeRdmaCm host;
  private final long structure;
  private final RdmaPortSpace ps;
  private final QpType qpType;
  private final NativeIdResources resources = new NativeIdResources(this);
  private final NativeMulticast multicast = new NativeMulticast(this);
  private final UnacknowledgedEvents taken = new UnacknowledgedEvents();
  private volatile NativeEventChannel channel;
  private volatile boolean isSynchronous;
  private volatile boolean isListening;
  private volatile boolean isEstablished;
  private volatile boolean isClosed;

  /** One that is on a channel, which was entered for it. */
  NativeRdmaCmId(
      NativeRdmaCm host, long structure, NativeEventChannel channel, boolean isSynchronous) {
    this.host = host;
    this.structure = structure;
    this.channel = channel;
    this.isSynchronous = isSynchronous;
    ps =
        VerbsConstant.of(RdmaPortSpace.class, RawMemory.getInt(structure + PORT_SPACE))
            .orElse(RdmaPortSpace.IB);
    qpType =
        VerbsConstant.of(QpType.class, RawMemory.getInt(structure + QP_TYPE)).orElse(QpType.RC);
    host.add(this);
  }

  private static int offset(String field) {
    return VerbsAbi.offset("rdma_cm_id." + field);
  }

  @Override
  protected NativeIdResources resources() {
    return resources;
  }

  NativeRdmaCm host() {
    return host;
  }

  /** The address of its structure, of which nothing is left when it is closed. */
  long address() {
    if (isClosed) {
      throw new VerbsException(Errno.EINVAL, "rdma_cm", "the id was destroyed");
    }
    return structure;
  }

  /** Address, refused unless it is bound to a device: the library would read at address 0. */
  long boundAddress(String verb) {
    boolean isBound = RawMemory.getLong(address() + VERBS) != 0;
    refuseUnless(isBound, verb, "the id is not bound to a device");
    return structure;
  }

  UnacknowledgedEvents taken() {
    return taken;
  }

  /** An event of it is taken. */
  void note(RdmaCmEventType type) {
    switch (type) {
      case ESTABLISHED -> isEstablished = true;
      case DISCONNECTED, DEVICE_REMOVAL -> isEstablished = false;
      default -> {} // Others do not say whether there is a connection.
    }
  }

  @Override
  public RdmaEventChannel channel() {
    return isSynchronous ? null : channel;
  }

  @Override
  public NativeContext verbs() {
    return host.contextAt(RawMemory.getLong(address() + VERBS));
  }

  @Override
  public int portNum() {
    return RawMemory.getByte(address() + PORT_NUM);
  }

  @Override
  public RdmaPortSpace ps() {
    return ps;
  }

  @Override
  public QpType qpType() {
    return qpType;
  }

  @Override
  public Optional<RdmaPath> route() {
    int count = RawMemory.getInt(address() + NUM_PATHS);
    return NativePaths.read(RawMemory.getLong(address() + PATH_REC), count);
  }

  @Override
  public InetSocketAddress localAddr() {
    return SocketAddresses.read(address() + SRC_ADDR);
  }

  @Override
  public InetSocketAddress peerAddr() {
    return SocketAddresses.read(address() + DST_ADDR);
  }

  @Override
  public void bindAddr(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    try (Arena arena = Arena.ofConfined()) {
      Librdmacm.BIND_ADDR.status(address(), SocketAddresses.write(arena, addr, BIND));
    }
  }

  @Override
  public void resolveAddr(InetSocketAddress src, InetSocketAddress dst, Duration timeout) {
    Objects.requireNonNull(dst, "dst");
    try (Arena arena = Arena.ofConfined()) {
      long source = SocketAddresses.write(arena, src, RESOLVE_ADDR);
      long destination = SocketAddresses.write(arena, dst, RESOLVE_ADDR);
      Librdmacm.RESOLVE_ADDR.status(address(), source, destination, millis(timeout));
    }
    complete(RESOLVE_ADDR);
  }

  @Override
  public void resolveRoute(Duration timeout) {
    String verb = "rdma_resolve_route";
    refuseUnless(millis(timeout) > 0, verb, "the timeout is not positive");
    Librdmacm.RESOLVE_ROUTE.status(boundAddress(verb), millis(timeout));
    complete(verb);
  }

  /** A part of a millisecond counts as one. */
  private static int millis(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    Duration rounded = timeout.plusNanos(999_999);
    boolean isLong = rounded.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0;
    return isLong ? Integer.MAX_VALUE : (int) Math.max(0, rounded.toMillis());
  }

  /** In synchronous mode, waits for the event of what was begun. */
  void complete(String verb) {
    if (!isSynchronous) {
      return;
    }
    NativeRdmaCmEvent event = channel.awaitEvent();
    keep(event);
    if (event.event() == RdmaCmEventType.REJECTED) {
      throw new VerbsException(Errno.ECONNREFUSED, verb, event.toString());
    }
    if (event.status() != 0) {
      Errno errno = VerbsConstant.of(Errno.class, -event.status()).orElse(Errno.ECONNREFUSED);
      throw new VerbsException(errno, verb, event.toString());
    }
  }

  @Override
  public void createQpEx(ProtectionDomain pd, QpInitAttrEx qpInitAttr) {
    resources.createQp(pd, Objects.requireNonNull(qpInitAttr, "qpInitAttr"));
  }

  @Override
  public void createSrqEx(SrqInitAttrEx attr) {
    resources.createSrq(Objects.requireNonNull(attr, "attr"));
  }

  @Override
  public void connect() {
    Librdmacm.CONNECT.status(boundAddress(CONNECT), 0L);
    complete(CONNECT);
  }

  @Override
  public void connect(RdmaConnParam param) {
    Objects.requireNonNull(param, "param");
    try (Arena arena = Arena.ofConfined()) {
      Librdmacm.CONNECT.status(
          boundAddress(CONNECT), ConnectionParams.write(arena, param, CONNECT));
    }
    complete(CONNECT);
  }

  @Override
  public void establish() {
    Librdmacm.ESTABLISH.status(address());
  }

  @Override
  public void listen(int backlog) {
    Librdmacm.LISTEN.status(address(), backlog);
    isListening = true;
  }

  @Override
  public RdmaCmId getRequest() {
    refuseUnless(isSynchronous, GET_REQUEST, "the id has a channel");
    refuseUnless(isListening, GET_REQUEST, "the id does not listen");
    NativeRdmaCmEvent event = channel.awaitEvent();
    if (event.event() != RdmaCmEventType.CONNECT_REQUEST) {
      keep(event);
      throw new VerbsException(Errno.EINVAL, GET_REQUEST, "another event came: " + event);
    }
    NativeRdmaCmId request = event.nativeId();
    boolean isReady = false;
    try {
      request.moveToOwnChannel();
      request.keep(event);
      createForRequest(request);
      isReady = true;
      return request;
    } finally {
      if (!isReady) {
        event.close();
        request.close();
      }
    }
  }

  @Override
  public void accept() {
    Librdmacm.ACCEPT.status(boundAddress(ACCEPT), 0L);
    completeAcceptance();
  }

  @Override
  public void accept(RdmaConnParam param) {
    Objects.requireNonNull(param, "param");
    try (Arena arena = Arena.ofConfined()) {
      Librdmacm.ACCEPT.status(boundAddress(ACCEPT), ConnectionParams.write(arena, param, ACCEPT));
    }
    completeAcceptance();
  }

  private void completeAcceptance() {
    if (qpType != QpType.UD) {
      complete(ACCEPT);
    }
  }

  @Override
  public void reject(byte[] privateData) {
    reject(Librdmacm.REJECT, "rdma_reject", privateData);
  }

  @Override
  public void rejectEce(byte[] privateData) {
    reject(Librdmacm.REJECT_ECE, "rdma_reject_ece", privateData);
  }

  private void reject(ControlFunction function, String verb, byte[] privateData) {
    byte length = (byte) ConnectionParams.checkedLength(privateData.length, verb);
    try (Arena arena = Arena.ofConfined()) {
      long data = ConnectionParams.copyOf(arena, ByteBuffer.wrap(privateData));
      function.status(address(), data, length);
    }
  }

  @Override
  public void notify(EventType event) {
    Librdmacm.NOTIFY.status(address(), event.code());
  }

  @Override
  public void disconnect() {
    boolean ends = isEstablished;
    Librdmacm.DISCONNECT.status(boundAddress(DISCONNECT));
    if (ends) {
      complete(DISCONNECT);
    }
  }

  @Override
  public void joinMulticastEx(InetSocketAddress addr, RdmaMcJoinFlag joinFlag, Object joined) {
    Objects.requireNonNull(addr, "addr");
    Objects.requireNonNull(joinFlag, "joinFlag");
    multicast.join(addr, joinFlag, joined);
  }

  @Override
  public void leaveMulticast(InetSocketAddress addr) {
    Objects.requireNonNull(addr, "addr");
    if (isSynchronous) {
      acknowledgeLatest();
    }
    multicast.leave(addr);
  }

  @Override
  public void setOption(RdmaOption option) {
    NativeOptions.set(address(), Objects.requireNonNull(option, "option"));
    if (option instanceof RdmaOption.IbPath) {
      complete(NativeOptions.SET);
    }
  }

  @Override
  public void migrate(RdmaEventChannel to) {
    refuseUnless(to != null || !isSynchronous, MIGRATE, "the id is in synchronous mode already");
    boolean isOwn = to == null || (to instanceof NativeEventChannel of && of.host() == host);
    refuseUnless(isOwn, MIGRATE, "the channel is of another host");
    if (isSynchronous) {
      keep(null);
    }
    taken.awaitNone(MIGRATE);
    if (to == null) {
      moveToOwnChannel();
    } else {
      NativeEventChannel target = (NativeEventChannel) to;
      target.enter(MIGRATE);
      move(target, false);
    }
  }

  private void moveToOwnChannel() {
    NativeEventChannel own = new NativeEventChannel(host);
    own.enter(MIGRATE);
    own.close(); // It stays as long as the id is on it.
    move(own, true);
  }

  /** Moves to a channel that was entered for it. */
  private void move(NativeEventChannel target, boolean toSynchronous) {
    NativeEventChannel old = channel;
    boolean isMoved = false;
    try {
      Librdmacm.MIGRATE_ID.status(address(), target.address());
      isMoved = true;
      channel = target;
      isSynchronous = toSynchronous;
    } finally {
      (isMoved ? old : target).leave();
    }
  }

  private static void refuseUnless(boolean condition, String verb, String why) {
    if (!condition) {
      throw new VerbsException(Errno.EINVAL, verb, why);
    }
  }

  @Override
  public void resolveAddrinfo(String node, String service, RdmaAddrinfo hints) {
    String verb = "rdma_resolve_addrinfo";
    try (Arena arena = Arena.ofConfined()) {
      Librdmacm.RESOLVE_ADDRINFO.status(
          address(),
          NativeAddrinfo.textAt(arena, node),
          NativeAddrinfo.textAt(arena, service),
          hints == null ? 0L : NativeAddrinfo.write(arena, hints, verb));
    }
    complete(verb);
  }

  @Override
  public List<RdmaAddrinfo> queryAddrinfo() {
    try (Arena arena = Arena.ofConfined()) {
      long list = RawMemory.allocate(arena, Long.BYTES);
      Librdmacm.QUERY_ADDRINFO.status(address(), list);
      return NativeAddrinfo.readAndFree(RawMemory.getLong(list), null);
    }
  }

  @Override
  public void writeCmEvent(RdmaCmEventType event, int status, Object arg) {
    refuseUnless(
        event == RdmaCmEventType.USER, "rdma_write_cm_event", "only USER events can be written");
    long number = host.keepArgument(arg);
    boolean isWritten = false;
    try {
      Librdmacm.WRITE_CM_EVENT.status(address(), event.code(), status, number);
      isWritten = true;
    } finally {
      if (!isWritten) {
        host.takeArgument(number);
      }
    }
  }

  @Override
  public QpAttr initQpAttr(QpState qpState) {
    return NativeOptions.initQpAttr(address(), Objects.requireNonNull(qpState, "qpState"));
  }

  @Override
  public void setLocalEce(Ece ece) {
    NativeOptions.setEce(address(), Objects.requireNonNull(ece, "ece"));
  }

  @Override
  public Ece getRemoteEce() {
    return NativeOptions.getEce(address());
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    acknowledgeLatest();
    taken.awaitNone(DESTROY);
    multicast.leaveAll();
    destroyQp();
    destroySrq();
    host.forget(structure);
    Librdmacm.DESTROY_ID.status(structure);
    isClosed = true;
    channel.leave();
  }

  @Override
  public String toString() {
    return "rdma_cm id (" + ps + (isClosed ? ", destroyed)" : ")");
  }
}
