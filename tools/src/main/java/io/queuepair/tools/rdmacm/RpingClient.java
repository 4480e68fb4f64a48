// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.net.InetSocketAddress;

/** Client of rping: advertises a ping, and receives it back in another buffer. */
final class RpingClient {
  private final RpingSettings settings;
  private final RdmaCm host;

  RpingClient(RpingSettings settings, RdmaCm host) {
    this.settings = settings;
    this.host = host;
  }

  /** Connects, pings and disconnects; returns whether all succeeded. The source may be null. */
  boolean run(InetSocketAddress source, InetSocketAddress server) {
    try (RdmaEventChannel channel = host.createEventChannel();
        RpingConnection connection =
            new RpingConnection(settings, channel.createId(RdmaPortSpace.TCP))) {
      connection.id.setContext(connection);
      try (RpingEvents events = new RpingEvents(settings, channel, request -> {})) {
        events.start();
        return connect(connection, source, server) && pingAndDisconnect(connection);
      }
    }
  }

  private boolean connect(
      RpingConnection connection, InetSocketAddress source, InetSocketAddress server) {
    connection.id.resolveAddr(source, server, RpingEvents.RESOLVE_TIMEOUT);
    if (!connection.await(RpingState.ROUTE_RESOLVED)) {
      return false;
    }
    connection.prepare();
    connection.connect();
    if (connection.await(RpingState.CONNECTED)) {
      connection.establish();
      settings.debug("rdma_connect successful");
      return true;
    }
    settings.err().println("connect error -1");
    return false;
  }

  private boolean pingAndDisconnect(RpingConnection connection) {
    boolean isFine = true;
    for (int ping = 0; isFine && (settings.count() == 0 || ping < settings.count()); ping++) {
      isFine = ping(connection, ping);
    }
    boolean isGone = connection.isDisconnected();
    if (!isFine && !isGone) {
      settings.err().println("rping client failed: -1");
    }
    connection.end();
    return isFine || isGone;
  }

  private boolean ping(RpingConnection connection, int ping) {
    RpingBuffers buffers = connection.buffers();
    buffers.fillSource(ping);
    buffers.advertise(buffers.source);
    connection.send();
    if (!connection.await(RpingState.RDMA_WRITE_ADV)) {
      return false;
    }
    connection.postReceive();
    buffers.advertise(buffers.sink);
    connection.send();
    if (!connection.await(RpingState.RDMA_WRITE_COMPLETE)) {
      return false;
    }
    connection.postReceive();
    if (settings.validates() && !buffers.cameBack()) {
      settings.err().println("data mismatch!");
      return false;
    }
    if (settings.isVerbose()) {
      settings.out().println("ping data: " + buffers.text());
    }
    return true;
  }
}
