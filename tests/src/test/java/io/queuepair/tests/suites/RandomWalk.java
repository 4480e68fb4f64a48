// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tests.suites.RandomClient.ClientFlow;
import io.queuepair.tests.suites.RandomClient.ClientRequest;
import io.queuepair.tests.suites.RandomClient.Space;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Clients that do random things that are allowed: register and deregister memory, also while it is
 * in use, connect, read, write, disconnect. A model knows which outcomes each request may have: an
 * error only after memory that it uses was deregistered, or on a connection where that happened.
 */
final class RandomWalk {
  private static final int MAX_IN_FLIGHT = 16;
  private static final int MAX_CONNECTIONS = 6;
  private static final int MAX_EVENTS = 5;

  private final Random random;
  private final Fabric fabric;
  private final Emulator emulator;
  private final List<RandomClient> clients = new ArrayList<>();
  private final List<WalkConnection> connections = new ArrayList<>();
  private long nextWrId;
  private int successes;
  private int failures;

  /** Two queue pairs, and whether deregistered memory was in use between them. */
  private static final class WalkConnection {
    private final ClientFlow one;
    private final ClientFlow two;
    private boolean mayFail;

    private WalkConnection(ClientFlow one, ClientFlow two) {
      this.one = one;
      this.two = two;
    }

    private boolean isIdle() {
      return one.inFlight().isEmpty() && two.inFlight().isEmpty();
    }

    private boolean uses(Space space) {
      return one.uses(space) || two.uses(space);
    }
  }

  RandomWalk(Fabric fabric, long seed, int clientCount) {
    this.fabric = fabric;
    random = new Random(seed);
    emulator = Emulator.on(fabric);
    for (int i = 1; i <= clientCount; i++) {
      clients.add(new RandomClient(emulator.addDevice("10.0.0." + i)));
    }
    clients.forEach(client -> client.register(random));
    connect();
  }

  void walk(int steps) {
    for (int step = 0; step < steps; step++) {
      act();
      for (int events = random.nextInt(MAX_EVENTS); events > 0; events--) {
        fabric.scheduler().runNext();
      }
      connections.forEach(this::takeCompletions);
    }
    while (fabric.scheduler().runNext()) {
      connections.forEach(this::takeCompletions);
    }
    connections.forEach(this::takeCompletions);
  }

  private void act() {
    int choice = random.nextInt(100);
    if (choice < 42) {
      request(WcOpcode.RDMA_READ);
    } else if (choice < 84) {
      request(WcOpcode.RDMA_WRITE);
    } else if (choice < 90) {
      anyClient().register(random);
    } else if (choice < 94) {
      connect();
    } else if (choice < 98) {
      disconnect();
    } else {
      deregister();
    }
  }

  private RandomClient anyClient() {
    return clients.get(random.nextInt(clients.size()));
  }

  private void connect() {
    if (connections.size() == MAX_CONNECTIONS) {
      return;
    }
    ClientFlow one = new ClientFlow(anyClient());
    ClientFlow two = new ClientFlow(anyClient());
    assertThat(one.qp().query().qpState()).isEqualTo(QpState.RESET);
    Emulator.connect(one.qp(), two.qp());
    connections.add(new WalkConnection(one, two));
  }

  /** A queue pair is destroyed when nothing is in flight and it is in Error. */
  private void disconnect() {
    int index = random.nextInt(connections.size());
    if (connections.size() > 1 && connections.get(index).isIdle()) {
      WalkConnection connection = connections.remove(index);
      connection.one.destroy();
      connection.two.destroy();
    }
  }

  private void deregister() {
    Space space = anyClient().deregister(random);
    if (space != null) {
      connections.stream()
          .filter(connection -> connection.uses(space))
          .forEach(connection -> connection.mayFail = true);
    }
  }

  private void request(WcOpcode opcode) {
    WalkConnection connection = connections.get(random.nextInt(connections.size()));
    boolean isForth = random.nextBoolean();
    ClientFlow from = isForth ? connection.one : connection.two;
    ClientFlow to = isForth ? connection.two : connection.one;
    if (from.inFlight().size() == MAX_IN_FLIGHT) {
      return;
    }
    Space local = from.client().anySpace(random);
    Space remote = to.client().anySpace(random);
    int length = random.nextInt(1 + Math.min(local.length(), remote.length()));
    from.inFlight().add(new ClientRequest(nextWrId, opcode, local, remote));
    SendWr.RemoteTarget target = remote.target(random, length);
    from.qp()
        .postSend(
            opcode == WcOpcode.RDMA_READ
                ? SendWr.rdmaRead(nextWrId, target.addr(), target.rkey(), local.sge(random, length))
                : SendWr.rdmaWrite(
                    nextWrId, target.addr(), target.rkey(), local.sge(random, length)));
    nextWrId++;
  }

  private void takeCompletions(WalkConnection connection) {
    take(connection, connection.one);
    take(connection, connection.two);
  }

  private void take(WalkConnection connection, ClientFlow flow) {
    for (WorkCompletion wc : flow.cq().poll(MAX_IN_FLIGHT)) {
      ClientRequest request = flow.inFlight().remove();
      assertThat(wc.qpNum()).isEqualTo(flow.qp().qpNum());
      assertThat(wc.wrId()).as("%s", wc).isEqualTo(request.wrId());
      if (wc.isSuccess()) {
        assertThat(wc.opcode()).isEqualTo(request.opcode());
        successes++;
      } else {
        assertMayFail(connection, request, wc);
        failures++;
      }
    }
  }

  private static void assertMayFail(
      WalkConnection connection, ClientRequest request, WorkCompletion wc) {
    assertThat(connection.mayFail).as("%s fails without a reason", wc).isTrue();
    switch (wc.status()) {
      case LOC_PROT_ERR -> assertThat(request.local().isGone()).as("%s", wc).isTrue();
      case REM_ACCESS_ERR -> assertThat(request.remote().isGone()).as("%s", wc).isTrue();
      default -> assertThat(wc.status()).isIn(WcStatus.WR_FLUSH_ERR, WcStatus.RETRY_EXC_ERR);
    }
  }

  int successes() {
    return successes;
  }

  int failures() {
    return failures;
  }

  /** Nothing is left in flight, and everything can be destroyed in order. */
  void end() {
    for (WalkConnection connection : connections) {
      assertThat(connection.isIdle()).isTrue();
      connection.one.destroy();
      connection.two.destroy();
    }
    clients.forEach(RandomClient::destroy);
    emulator.close();
  }
}
