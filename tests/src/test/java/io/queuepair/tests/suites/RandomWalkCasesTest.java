// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
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
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that do random things that are allowed: register and deregister memory, also while it is
 * in use, connect, read, write, disconnect. A model knows which outcomes each request may have: an
 * error only after memory that it uses was deregistered, or on a connection where that happened.
 * The seed repeats a failure.
 */
final class RandomWalkCasesTest {
  private static final int STEPS = 2000;
  private static final int MAX_BYTES = 20_000;
  private static final int MAX_IN_FLIGHT = 16;

  private final List<WalkClient> clients = new ArrayList<>();
  private final List<WalkEnd> ends = new ArrayList<>();
  private final Set<MemoryRegion> gone = new HashSet<>();
  private Random random;
  private long nextWrId;
  private int successes;
  private int failures;

  /** A device with its memory. */
  private record WalkClient(Context context, ProtectionDomain pd, List<MemoryRegion> regions) {
    void register(int bytes) {
      regions.add(TestEndpoint.registerIn(pd, bytes, ConnectedPair.ALL_RIGHTS));
    }

    MemoryRegion any(Random random) {
      return regions.get(random.nextInt(regions.size()));
    }
  }

  /** Requests posted and not completed. */
  private record WalkRequest(long wrId, WcOpcode opcode, MemoryRegion local, MemoryRegion remote) {}

  /** One end of a connection; ends with even numbers are followed by their peers. */
  private static final class WalkEnd {
    private final WalkClient client;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final Queue<WalkRequest> inFlight = new ArrayDeque<>();

    /** Whether deregistered memory was in use on its connection. */
    private boolean mayFail;

    private WalkEnd(WalkClient client) {
      this.client = client;
      cq = client.context.createCq(64);
      qp = client.pd.createQp(QpInitAttr.rc(cq, QpCap.of(64)));
    }

    private boolean uses(MemoryRegion region) {
      return inFlight.stream().anyMatch(each -> each.local == region || each.remote == region);
    }

    private void destroy() {
      var event = client.context.getAsyncEvent(Duration.ZERO);
      for (; event.isPresent(); event = client.context.getAsyncEvent(Duration.ZERO)) {
        client.context.ackAsyncEvent(event.get());
      }
      qp.modify(QpAttr.to(QpState.ERR));
      qp.close();
      cq.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, OBJECTS",
    "1, 2, WIRE_EXACT",
    "1, 3, OBJECTS",
    "2, 4, OBJECTS",
    "2, 5, WIRE_EXACT",
    "2, 6, OBJECTS",
    "2, 7, WIRE_EXACT"
  })
  void whatClientsDoHasTheOutcomesOfTheModel(int clientCount, long seed, LinkForm form) {
    Fabric fabric = form.fabric();
    random = new Random(seed);
    try (Emulator emulator = Emulator.on(fabric)) {
      for (int i = 1; i <= clientCount; i++) {
        Context context = emulator.addDevice("10.0.0." + i).open();
        WalkClient client = new WalkClient(context, context.allocPd(), new ArrayList<>());
        List.of(MAX_BYTES, MAX_BYTES, MAX_BYTES / 2).forEach(client::register);
        clients.add(client);
      }
      connect();
      for (int step = 0; step < STEPS; step++) {
        act(random.nextInt(100));
        for (int events = random.nextInt(5); events > 0; events--) {
          fabric.scheduler().runNext();
        }
        ends.forEach(this::takeCompletions);
      }
      while (fabric.scheduler().runNext()) {
        ends.forEach(this::takeCompletions);
      }

      assertThat(ends).allMatch(end -> end.inFlight.isEmpty());
      ends.forEach(WalkEnd::destroy);
      for (WalkClient client : clients) {
        client.regions.forEach(MemoryRegion::close);
        client.pd.close();
      }
    }
    assertThat(successes).isPositive();
    assertThat(failures).isPositive();
  }

  private void act(int choice) {
    WalkClient client = clients.get(random.nextInt(clients.size()));
    if (choice < 84) {
      request(choice < 42 ? WcOpcode.RDMA_READ : WcOpcode.RDMA_WRITE);
    } else if (choice < 90 && client.regions.size() < 10) {
      client.register(1 + random.nextInt(MAX_BYTES));
    } else if (choice < 94 && ends.size() < 12) {
      connect();
    } else if (choice < 98) {
      disconnect();
    } else if (client.regions.size() > 2) {
      deregister(client.regions.remove(random.nextInt(client.regions.size())));
    }
  }

  private void connect() {
    WalkEnd one = new WalkEnd(clients.get(random.nextInt(clients.size())));
    WalkEnd two = new WalkEnd(clients.get(random.nextInt(clients.size())));
    Emulator.connect(one.qp, two.qp);
    ends.addAll(List.of(one, two));
  }

  private WalkEnd peer(WalkEnd end) {
    return ends.get(ends.indexOf(end) ^ 1);
  }

  /** A queue pair is destroyed when nothing is in flight and it is in Error. */
  private void disconnect() {
    WalkEnd one = ends.get(random.nextInt(ends.size()));
    WalkEnd two = peer(one);
    if (ends.size() > 2 && one.inFlight.isEmpty() && two.inFlight.isEmpty()) {
      ends.removeAll(List.of(one, two));
      one.destroy();
      two.destroy();
    }
  }

  private void deregister(MemoryRegion region) {
    gone.add(region);
    region.close();
    for (WalkEnd end : ends) {
      if (end.uses(region)) {
        end.mayFail = true;
        peer(end).mayFail = true;
      }
    }
  }

  private void request(WcOpcode opcode) {
    WalkEnd from = ends.get(random.nextInt(ends.size()));
    if (from.inFlight.size() == MAX_IN_FLIGHT) {
      return;
    }
    MemoryRegion local = from.client.any(random);
    MemoryRegion remote = peer(from).client.any(random);
    int length = random.nextInt(1 + Math.min(local.length(), remote.length()));
    Sge here = part(local, length);
    long there = part(remote, length).addr();
    from.inFlight.add(new WalkRequest(nextWrId, opcode, local, remote));
    from.qp.postSend(
        opcode == WcOpcode.RDMA_READ
            ? SendWr.rdmaRead(nextWrId, there, remote.rkey(), here)
            : SendWr.rdmaWrite(nextWrId, there, remote.rkey(), here));
    nextWrId++;
  }

  private Sge part(MemoryRegion region, int length) {
    return region.sge(random.nextInt(1 + region.length() - length), length);
  }

  private void takeCompletions(WalkEnd end) {
    for (WorkCompletion wc : end.cq.poll(MAX_IN_FLIGHT)) {
      WalkRequest request = end.inFlight.remove();
      assertThat(wc.qpNum()).isEqualTo(end.qp.qpNum());
      assertThat(wc.wrId()).as("%s", wc).isEqualTo(request.wrId);
      if (wc.isSuccess()) {
        assertThat(wc.opcode()).isEqualTo(request.opcode);
        successes++;
      } else {
        assertThat(end.mayFail).as("%s fails without a reason", wc).isTrue();
        switch (wc.status()) {
          case LOC_PROT_ERR -> assertThat(gone).contains(request.local);
          case REM_ACCESS_ERR -> assertThat(gone).contains(request.remote);
          default -> assertThat(wc.status()).isIn(WcStatus.WR_FLUSH_ERR, WcStatus.RETRY_EXC_ERR);
        }
        failures++;
      }
    }
  }
}
