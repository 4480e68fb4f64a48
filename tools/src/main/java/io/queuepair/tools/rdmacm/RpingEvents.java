// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes events of the connection manager on a separate thread, and passes each to its connection:
 * the context of an id is its {@link RpingConnection}.
 */
final class RpingEvents implements AutoCloseable {
  static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  private final RpingSettings settings;
  private final RdmaEventChannel channel;
  private final Consumer<RdmaCmId> requests;
  private final Thread thread = new Thread(this::takeEvents, "rping cm");

  /**
   * Creates the thread without starting it.
   *
   * @param requests receives ids of connection requests, whose events are acknowledged
   */
  RpingEvents(RpingSettings settings, RdmaEventChannel channel, Consumer<RdmaCmId> requests) {
    this.settings = settings;
    this.channel = channel;
    this.requests = requests;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void takeEvents() {
    try {
      while (true) {
        RdmaCmEvent event = channel.getCmEvent();
        try (event) {
          handle(event);
        }
        if (event.event() == RdmaCmEventType.CONNECT_REQUEST) {
          requests.accept(event.id());
        }
      }
    } catch (VerbsException closed) {
      settings.debug("no more events: %s", closed.getMessage());
    }
  }

  private void handle(RdmaCmEvent event) {
    settings.debug("cma_event type %s", event.event().text());
    RdmaCmId id = event.id();
    switch (event.event()) {
      case ADDR_RESOLVED -> resolveRoute(id);
      case ROUTE_RESOLVED -> tell(id, RpingState.ROUTE_RESOLVED);
      case CONNECT_REQUEST -> settings.debug("a client connects");
      case CONNECT_RESPONSE, ESTABLISHED -> established(id);
      case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> failed(event);
      case DISCONNECTED -> {
        settings.err().println(settings.side() + " DISCONNECT EVENT...");
        settle(id);
        tell(id, RpingState.DISCONNECTED);
      }
      case DEVICE_REMOVAL -> {
        settings.err().println("cma detected device removal!!!!");
        settle(id);
        tell(id, RpingState.ERROR);
      }
      case MULTICAST_JOIN,
          MULTICAST_ERROR,
          ADDR_CHANGE,
          TIMEWAIT_EXIT,
          ADDRINFO_RESOLVED,
          ADDRINFO_ERROR,
          USER,
          INTERNAL ->
          settings.err().printf("unhandled event: %s, ignoring%n", event.event().text());
    }
  }

  private void resolveRoute(RdmaCmId id) {
    try {
      id.resolveRoute(RESOLVE_TIMEOUT);
    } catch (VerbsException refused) {
      settings.err().println(refused.getMessage());
      tell(id, RpingState.ERROR);
    }
  }

  /** Handles ESTABLISHED; at a server the client's first message may have come earlier. */
  private void established(RdmaCmId id) {
    settle(id);
    if (!settings.isServer()) {
      tell(id, RpingState.CONNECTED);
    }
  }

  private void failed(RdmaCmEvent event) {
    settings.err().printf("cma event %s, error %d%n", event.event().text(), event.status());
    if (!event.explain().isEmpty()) {
      settings.err().println(event.explain());
    }
    settle(event.id());
    tell(event.id(), RpingState.ERROR);
  }

  private static void settle(RdmaCmId id) {
    if (id.context() instanceof RpingConnection connection) {
      connection.settle();
    }
  }

  private static void tell(RdmaCmId id, RpingState state) {
    if (id.context() instanceof RpingConnection connection) {
      connection.tell(state);
    }
  }

  /** Ends the thread; later events are dropped. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
