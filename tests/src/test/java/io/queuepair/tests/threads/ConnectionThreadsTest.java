// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that connect take turns where they wait for the connection manager. */
@Timeout(60)
final class ConnectionThreadsTest {
  private static final QpInitAttr QP =
      new QpInitAttr(QpType.RC, null, null, null, QpCap.of(4), true);
  private static final int CLIENTS = 3;

  private final List<String> log = new ArrayList<>(); // No lock: one thread runs at a time.

  private static RdmaAddrinfo address(RdmaCm host, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags);
    return host.getaddrinfo("10.0.0.1", "7471", hints).get(0);
  }

  private void serve(RdmaCmId listener) {
    for (int i = 0; i < CLIENTS; i++) {
      try (RdmaCmId id = listener.getRequest()) {
        id.qp().postRecv(RecvWr.of(1));
        id.accept();
        log.add("server: " + id.getRecvComp().status());
        id.disconnect();
      }
    }
  }

  private void send(RdmaCm host) {
    try (RdmaCmId id = host.createEp(address(host), null, QP)) {
      id.connect();
      id.qp().postSend(SendWr.send(2));
      log.add("client: " + id.getSendComp().status());
      id.disconnect();
    }
  }

  private List<String> connect(Schedule schedule) {
    log.clear();
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.threads().schedule(schedule);
      emulator.threads().strict();
      RdmaCm server = emulator.rdmaCm(emulator.addDevice("10.0.0.1"));
      RdmaCm client = emulator.rdmaCm(emulator.addDevice("10.0.0.2"));
      RdmaCmId listener = server.createEp(address(server, RdmaAddrinfoFlag.PASSIVE), null, QP);
      listener.listen(CLIENTS);
      emulator.start("server", () -> serve(listener));
      for (int i = 0; i < CLIENTS; i++) {
        emulator.start("client " + i, () -> send(client));
      }
      emulator.threads().join();
      listener.close();
    }
    return List.copyOf(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "verbs", "random(1)", "random(2)", "random(3)"})
  void serversAndClientsConnectTheSameWayEveryTime(String schedule) {
    List<String> first = connect(Schedule.parse(schedule));

    assertThat(first)
        .containsOnly("server: SUCCESS", "client: SUCCESS")
        .hasSize(2 * CLIENTS)
        .isEqualTo(connect(Schedule.parse(schedule)));
  }

  @Test
  void standstillSaysWhichEventAThreadWaitsFor() {
    Emulator emulator = Emulator.inMemory();
    RdmaEventChannel channel = emulator.rdmaCm(emulator.addDevice("10.0.0.1")).createEventChannel();
    emulator.start("server", channel::getCmEvent);

    assertThatThrownBy(() -> emulator.threads().join())
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("thread server waits in rdma_get_cm_event");
    emulator.close();
  }
}
