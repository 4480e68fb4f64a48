// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The ids of one side of a program that exchanges messages, and the loop over their events. */
abstract class ExchangeNodes implements AutoCloseable {
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  /** One for each id that is not refused. */
  final List<Node> nodes = new ArrayList<>();

  /** How many ids are to be made. */
  final int wanted;

  /** How many of them are not ready yet. */
  int connectsLeft;

  RdmaEventChannel channel;

  /** Of a server. */
  RdmaCmId listener;

  private final ExchangeCommand command;
  private final RdmaPortSpace space;

  ExchangeNodes(ExchangeCommand command, RdmaCm host, RdmaPortSpace space) {
    this.command = command;
    this.space = space;
    wanted = command.messages().connections;
    connectsLeft = wanted;
    channel = host.createEventChannel();
  }

  /** Sets the options of an id whose address is resolved. */
  abstract void setOptions(RdmaCmId id);

  /** Connects an id whose route is resolved; returns an exit status. */
  abstract int routeResolved(Node node);

  /** Takes or refuses a connection request; returns an exit status. */
  abstract int requested(RdmaCmId id);

  /** An id is connected, or its peer is known. */
  abstract void established(Node node, RdmaCmEvent event);

  /** The peer has disconnected. */
  void disconnected(RdmaCmId id) {}

  final void listen(RdmaAddrinfo own) {
    listener = channel.createId(space);
    listener.bindAddr(own.srcAddr());
    listener.listen(0);
  }

  /** Makes the ids of a client and resolves the address of its server. */
  final void resolve(RdmaAddrinfo way) {
    for (int i = 0; i < wanted; i++) {
      Node node = new Node(channel.createId(space), command.messages());
      nodes.add(node);
      node.id().resolveAddr(way.srcAddr(), way.dstAddr(), RESOLVE_TIMEOUT);
    }
  }

  /** Handles events until a condition no longer holds, or one fails; returns an exit status. */
  final int handleWhile(BooleanSupplier condition) {
    int status = 0;
    while (status == 0 && condition.getAsBoolean()) {
      try (RdmaCmEvent event = channel.getCmEvent()) {
        status = handle(event);
      }
    }
    return status;
  }

  private int handle(RdmaCmEvent event) {
    switch (event.event()) {
      case ADDR_RESOLVED -> {
        setOptions(event.id());
        event.id().resolveRoute(RESOLVE_TIMEOUT);
      }
      case ROUTE_RESOLVED -> {
        return routeResolved(Node.of(event.id()));
      }
      case CONNECT_REQUEST -> {
        return requested(event.id());
      }
      case ESTABLISHED -> established(Node.of(event.id()), event);
      case DISCONNECTED -> disconnected(event.id());
      case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> {
        connectsLeft--;
        return command.failed(event);
      }
      case CONNECT_RESPONSE,
          DEVICE_REMOVAL,
          MULTICAST_JOIN,
          MULTICAST_ERROR,
          ADDR_CHANGE,
          TIMEWAIT_EXIT,
          ADDRINFO_RESOLVED,
          ADDRINFO_ERROR,
          USER,
          INTERNAL -> {}
    }
    return 0;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
    if (listener != null) {
      listener.close();
    }
    channel.close();
  }
}
