// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** Server of rping: reads each ping from its client, and writes it back. */
final class RpingServer {
  private static final int BACKLOG = 3;

  /** Limit of simultaneous clients of a persistent server; each has two threads. */
  private static final int MOST_CLIENTS = 256;

  private final RpingSettings settings;
  private final RdmaCm host;

  /** Ids of requests that are not accepted; the backlog limits their number. */
  private final BlockingQueue<RdmaCmId> requests = new LinkedBlockingQueue<>();

  private final Semaphore places;

  /**
   * Creates a server.
   *
   * @param isPersistent whether it serves many clients at once, or only one
   */
  RpingServer(RpingSettings settings, RdmaCm host, boolean isPersistent) {
    this.settings = settings;
    this.host = host;
    places = new Semaphore(isPersistent ? MOST_CLIENTS : 1);
  }

  /** Listens and serves one client; returns whether all succeeded. */
  boolean serveOne(InetSocketAddress address) {
    return listen(address, () -> serve(nextRequest()));
  }

  /** Listens and serves all clients, each on its own thread, until the process ends. */
  boolean serveAll(InetSocketAddress address) {
    return listen(
        address,
        () -> {
          while (true) {
            RdmaCmId request = nextRequest();
            Thread server = new Thread(() -> serveNext(request), "rping server");
            server.setDaemon(true);
            server.start();
          }
        });
  }

  /** Action of a server while it listens. */
  private interface Service {
    boolean run();
  }

  private boolean listen(InetSocketAddress address, Service service) {
    try (RdmaEventChannel channel = host.createEventChannel();
        RdmaCmId listener = channel.createId(RdmaPortSpace.TCP);
        RpingEvents events = new RpingEvents(settings, channel, this::take)) {
      events.start();
      listener.bindAddr(address);
      settings.debug("rdma_bind_addr successful");
      listener.listen(BACKLOG);
      settings.debug("rdma_listen");
      return service.run();
    }
  }

  /** Queues a request, or rejects it if there are too many; the original would not answer. */
  private void take(RdmaCmId request) {
    if (places.tryAcquire()) {
      request.setContext(new RpingConnection(settings, request));
      requests.add(request);
      return;
    }
    request.reject();
    request.close();
  }

  private RdmaCmId nextRequest() {
    try {
      return requests.take();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", end);
    }
  }

  private void serveNext(RdmaCmId request) {
    try {
      serve(request);
    } catch (VerbsException | CommandFailure failed) {
      settings.err().println(failed.getMessage());
    } finally {
      places.release();
    }
  }

  private boolean serve(RdmaCmId request) {
    try (RpingConnection connection = (RpingConnection) request.context()) {
      connection.prepare();
      settings.debug("accepting client connection request");
      connection.accept();
      boolean isFine = true;
      while (isFine) {
        isFine = answer(connection);
      }
      boolean isGone = connection.isDisconnected();
      if (!isGone) {
        settings.err().println("rping server failed: -1");
      }
      connection.end();
      return isGone;
    }
  }

  private boolean answer(RpingConnection connection) {
    RpingBuffers buffers = connection.buffers();
    if (!connection.await(RpingState.RDMA_READ_ADV)) {
      return false;
    }
    RemoteBuffer source = RemoteBuffer.read(buffers.received.buffer());
    connection.postReceive();
    if (!fits(source)) {
      return false;
    }
    connection.read(source);
    if (!connection.await(RpingState.RDMA_READ_COMPLETE)) {
      return false;
    }
    if (settings.isVerbose()) {
      settings.out().println("server ping data: " + buffers.text());
    }
    connection.send();
    if (!connection.await(RpingState.RDMA_WRITE_ADV)) {
      return false;
    }
    RemoteBuffer sink = RemoteBuffer.read(buffers.received.buffer());
    connection.postReceive();
    connection.write(Math.min(buffers.textBytes() + 1, settings.size()), sink);
    if (!connection.await(RpingState.RDMA_WRITE_COMPLETE)) {
      return false;
    }
    connection.send();
    return true;
  }

  private boolean fits(RemoteBuffer source) {
    boolean fits = Integer.compareUnsigned(source.size(), settings.size()) <= 0;
    if (!fits) {
      settings
          .err()
          .printf(
              "the client has a ping of %s bytes; the server has room for %d (-S)%n",
              Integer.toUnsignedString(source.size()), settings.size());
    }
    return fits;
  }
}
