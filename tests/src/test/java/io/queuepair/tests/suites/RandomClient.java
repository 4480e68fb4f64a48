// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcOpcode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/** One of those who walk: a device with its memory. */
final class RandomClient {
  private static final int MAX_REGIONS = 10;
  private static final int MIN_REGIONS = 2;
  private static final int MAX_BYTES = 20_000;
  private static final int QUEUE = 64;

  private final Context context;
  private final ProtectionDomain pd;
  private final List<Space> spaces = new ArrayList<>();

  RandomClient(Device device) {
    context = device.open();
    pd = context.allocPd();
    for (int i = 0; i < MIN_REGIONS; i++) {
      spaces.add(new Space(TestEndpoint.registerIn(pd, MAX_BYTES, ConnectedPair.ALL_RIGHTS)));
    }
  }

  /** Memory that may be deregistered at any time. */
  static final class Space {
    private final MemoryRegion region;
    private boolean isGone;

    private Space(MemoryRegion region) {
      this.region = region;
    }

    boolean isGone() {
      return isGone;
    }

    int length() {
      return region.length();
    }

    /** Some part of that length. */
    Sge sge(Random random, int length) {
      return region.sge(random.nextInt(1 + region.length() - length), length);
    }

    /** The same for the peer. */
    SendWr.RemoteTarget target(Random random, int length) {
      return new SendWr.RemoteTarget(sge(random, length).addr(), region.rkey());
    }
  }

  /** What was posted and has not completed. */
  record ClientRequest(long wrId, WcOpcode opcode, Space local, Space remote) {}

  /** One end of a connection. */
  static final class ClientFlow {
    private final RandomClient client;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final Queue<ClientRequest> inFlight = new ArrayDeque<>();

    ClientFlow(RandomClient client) {
      this.client = client;
      cq = client.context.createCq(QUEUE);
      qp = client.pd.createQp(QpInitAttr.rc(cq, QpCap.of(QUEUE)));
    }

    RandomClient client() {
      return client;
    }

    CompletionQueue cq() {
      return cq;
    }

    QueuePair qp() {
      return qp;
    }

    /** Oldest first. */
    Queue<ClientRequest> inFlight() {
      return inFlight;
    }

    boolean uses(Space space) {
      return inFlight.stream()
          .anyMatch(request -> request.local == space || request.remote == space);
    }

    void destroy() {
      client.takeEvents();
      qp.modify(QpAttr.to(QpState.ERR));
      qp.close();
      cq.close();
    }
  }

  void register(Random random) {
    if (spaces.size() < MAX_REGIONS) {
      int bytes = 1 + random.nextInt(MAX_BYTES);
      spaces.add(new Space(TestEndpoint.registerIn(pd, bytes, ConnectedPair.ALL_RIGHTS)));
    }
  }

  Space anySpace(Random random) {
    return spaces.get(random.nextInt(spaces.size()));
  }

  /** Takes some memory away; null if too little is left. */
  Space deregister(Random random) {
    if (spaces.size() == MIN_REGIONS) {
      return null;
    }
    Space space = spaces.remove(random.nextInt(spaces.size()));
    space.isGone = true;
    space.region.close();
    return space;
  }

  private void takeEvents() {
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      context.ackAsyncEvent(event.get());
      event = context.getAsyncEvent(Duration.ZERO);
    }
  }

  void destroy() {
    takeEvents();
    spaces.forEach(space -> space.region.close());
    pd.close();
    context.close();
  }
}
