// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.TimeLimit;
import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What {@code -R} connects through the connection manager: first the connection that carries the
 * messages of {@link ControlChannel}, then each queue pair that is measured, all at one port.
 */
final class CmSession implements AutoCloseable {
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than a request to disconnect is repeated. */
  private static final Duration DISCONNECT_LIMIT = Duration.ofSeconds(80);

  /** Who has nothing left to do waits that long for the other, to answer what it may repeat. */
  private static final Duration LINGER = Duration.ofSeconds(10);

  /** As often, and after such a pause, perftest connects to a server that does not listen yet. */
  private static final int ATTEMPTS = 10;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final PerftestSettings settings;
  private final InetSocketAddress address;
  private final RdmaEventChannel channel;
  private final List<RdmaCmId> listeners = new ArrayList<>();
  private final List<RdmaCmId> measured = new ArrayList<>();

  /** Clients that connected before this side has come to accept them. */
  private final Deque<RdmaCmEvent> requests = new ArrayDeque<>();

  private RdmaCmId control;
  private boolean hasPeerLeft;
  private int disconnected;

  /**
   * Begins: a server listens from now on.
   *
   * @param address of the server, which is this side or the other
   */
  CmSession(RdmaCm host, PerftestSettings settings, InetSocketAddress address) {
    this.settings = settings;
    this.address = address;
    channel = host.createEventChannel();
    if (settings.isServer()) {
      listen(RdmaPortSpace.TCP);
      if (isDatagram()) {
        listen(RdmaPortSpace.UDP);
      }
    }
  }

  private boolean isDatagram() {
    return settings.service() == QpType.UD;
  }

  private void listen(RdmaPortSpace space) {
    RdmaCmId listener = channel.createId(space);
    listeners.add(listener);
    listener.bindAddr(address);
    // Also those connect that are measured, while the first one is not accepted yet.
    listener.listen(1 + settings.options().queuePairs);
  }

  /** Connects to the server, or waits for a client as long as it takes. */
  ControlLink meet() {
    if (!settings.isServer()) {
      CmControlLink[] link = new CmControlLink[1];
      control = channel.createId(RdmaPortSpace.TCP);
      RdmaConnParam parameters = RdmaConnParam.of(0, 0);
      tryToConnect(control, id -> link[0] = new CmControlLink(this, id), parameters, event -> {})
          .ifPresent(this::failToConnect);
      return link[0];
    }
    try (RdmaCmEvent request = await(RdmaCmEventType.CONNECT_REQUEST, TimeLimit.NONE)) {
      control = request.id();
      CmControlLink link = new CmControlLink(this, control);
      control.setOption(new RdmaOption.AckTimeout(settings.options().ackTimeout));
      control.accept(RdmaConnParam.of(0, 0));
      return link;
    }
  }

  private void failToConnect(String reason) {
    throw new CommandFailure(
        "Couldn't connect to "
            + address.getAddress().getHostAddress()
            + ":"
            + address.getPort()
            + ": "
            + reason);
  }

  /**
   * Connects one of those that are measured. A server that has no listener for the moment is tried
   * several times: perftest may begin to listen later than its client connects.
   *
   * @param prepare creates the queue pair of the id
   * @param established is given the event that says so
   * @return the id
   */
  RdmaCmId connect(
      Consumer<RdmaCmId> prepare, RdmaConnParam parameters, Consumer<RdmaCmEvent> established) {
    TimeLimit limit = TimeLimit.fromNow(settings.connectTimeout());
    for (int attempt = 1; ; attempt++) {
      RdmaCmId id = channel.createId(isDatagram() ? RdmaPortSpace.UDP : RdmaPortSpace.TCP);
      Optional<String> refusal = tryToConnect(id, prepare, parameters, established);
      if (refusal.isEmpty()) {
        measured.add(id);
        return id;
      }
      id.destroyQp();
      id.close();
      if (attempt == ATTEMPTS || limit.isOver()) {
        failToConnect(refusal.get());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private Optional<String> tryToConnect(
      RdmaCmId id,
      Consumer<RdmaCmId> prepare,
      RdmaConnParam parameters,
      Consumer<RdmaCmEvent> established) {
    id.resolveAddr(null, address, RESOLVE_TIMEOUT);
    Optional<String> refusal = awaitOf(RdmaCmEventType.ADDR_RESOLVED, event -> {});
    if (refusal.isPresent()) {
      return refusal;
    }
    if (id.qpType() == QpType.RC) {
      id.setOption(new RdmaOption.AckTimeout(settings.options().ackTimeout));
    }
    id.resolveRoute(RESOLVE_TIMEOUT);
    refusal = awaitOf(RdmaCmEventType.ROUTE_RESOLVED, event -> {});
    if (refusal.isPresent()) {
      return refusal;
    }
    prepare.accept(id);
    id.connect(parameters);
    return awaitOf(RdmaCmEventType.ESTABLISHED, established);
  }

  /** Why the event that is waited for does not come; empty when it has come. */
  private Optional<String> awaitOf(RdmaCmEventType wanted, Consumer<RdmaCmEvent> action) {
    try (RdmaCmEvent event = await(wanted, TimeLimit.fromNow(settings.connectTimeout()))) {
      if (event.event() == wanted) {
        action.accept(event);
        return Optional.empty();
      }
      return Optional.of(text(event));
    }
  }

  private static String text(RdmaCmEvent event) {
    String what = event.event().text() + ", status " + event.status();
    return event.explain().isEmpty() ? what : what + ": " + event.explain();
  }

  /**
   * Takes the next client that connects to be measured. It has to be the one that is met already.
   *
   * @param accept creates the queue pair, and accepts
   */
  void accept(Consumer<RdmaCmEvent> accept) {
    TimeLimit limit = TimeLimit.fromNow(settings.connectTimeout());
    boolean isAccepted = false;
    while (!isAccepted) {
      RdmaCmId stranger = null;
      try (RdmaCmEvent request = await(RdmaCmEventType.CONNECT_REQUEST, limit)) {
        if (request.event() != RdmaCmEventType.CONNECT_REQUEST) {
          throw new CommandFailure("Couldn't accept a connection of the peer: " + text(request));
        }
        RdmaCmId id = request.id();
        isAccepted = id.peerAddr().getAddress().equals(control.peerAddr().getAddress());
        if (isAccepted) {
          measured.add(id);
          accept.accept(request);
        } else {
          stranger = id;
        }
      }
      reject(stranger);
    }
  }

  private static void reject(RdmaCmId stranger) {
    if (stranger != null) {
      stranger.reject();
      stranger.close();
    }
  }

  /** No further client is taken. */
  void stopListening() {
    while (!requests.isEmpty()) {
      RdmaCmEvent request = requests.removeFirst();
      RdmaCmId stranger = request.id();
      request.close();
      reject(stranger);
    }
    listeners.forEach(RdmaCmId::close);
    listeners.clear();
  }

  /**
   * Waits for an event.
   *
   * @return it, or one that says that it will not come; to be closed
   */
  private RdmaCmEvent await(RdmaCmEventType wanted, TimeLimit limit) {
    if (wanted == RdmaCmEventType.CONNECT_REQUEST && !requests.isEmpty()) {
      return requests.removeFirst();
    }
    while (true) {
      RdmaCmEvent event =
          next(limit)
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          "The peer did not connect within " + limit.whole().toSeconds() + " s"));
      if (event.event() == wanted || isFailure(event.event())) {
        return event;
      }
      handle(event);
      if (hasPeerLeft) {
        throw new CommandFailure("The peer ended the connection before it was measured");
      }
    }
  }

  private Optional<RdmaCmEvent> next(TimeLimit limit) {
    return limit.equals(TimeLimit.NONE)
        ? Optional.of(channel.getCmEvent())
        : channel.getCmEvent(limit.left());
  }

  private static boolean isFailure(RdmaCmEventType type) {
    return switch (type) {
      case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL -> true;
      case ADDR_RESOLVED,
          ROUTE_RESOLVED,
          CONNECT_REQUEST,
          CONNECT_RESPONSE,
          ESTABLISHED,
          DISCONNECTED,
          MULTICAST_JOIN,
          MULTICAST_ERROR,
          ADDR_CHANGE,
          TIMEWAIT_EXIT,
          ADDRINFO_RESOLVED,
          ADDRINFO_ERROR,
          USER,
          INTERNAL ->
          false;
    };
  }

  /** Who hears that the peer disconnects answers; that a server is established is no news. */
  private void handle(RdmaCmEvent event) {
    if (event.event() == RdmaCmEventType.CONNECT_REQUEST) {
      requests.addLast(event);
      return;
    }
    try (event) {
      if (event.event() == RdmaCmEventType.DISCONNECTED) {
        disconnected(event.id());
      }
    }
  }

  private void disconnected(RdmaCmId id) {
    boolean isControl = id.equals(control);
    if (isControl) {
      hasPeerLeft = true;
    } else {
      disconnected++;
    }
    if (isControl || !settings.isServer()) {
      id.disconnect();
    }
  }

  /** Whether the peer has ended the connection for messages. */
  boolean hasPeerLeft() {
    channel.getCmEvent(Duration.ZERO).ifPresent(this::handle);
    return hasPeerLeft;
  }

  /**
   * Disconnects as perftest does: the server all that was measured, and its client answers. Each
   * side stays until the other has heard of it, or nothing is heard of the other any more.
   */
  void end() {
    if (!isDatagram()) {
      if (settings.isServer()) {
        measured.forEach(RdmaCmId::disconnect);
      }
      TimeLimit limit = TimeLimit.fromNow(DISCONNECT_LIMIT);
      while (!hasPeerLeft && disconnected < measured.size() && handleNext(limit)) {
        // One more has disconnected.
      }
    }
    if (settings.isServer() && !hasPeerLeft) {
      control.disconnect();
    }
    TimeLimit limit = TimeLimit.fromNow(LINGER);
    while (!hasPeerLeft && handleNext(limit)) {
      // Others may still disconnect.
    }
  }

  /** Whether there was an event in time. */
  private boolean handleNext(TimeLimit limit) {
    Optional<RdmaCmEvent> event = next(limit);
    event.ifPresent(this::handle);
    return event.isPresent();
  }

  @Override
  public void close() {
    stopListening();
    measured.forEach(RdmaCmId::close);
    if (control != null) {
      control.close();
    }
    channel.close();
  }
}
