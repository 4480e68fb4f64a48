// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plan does the same where time is real and packets are moved by a thread, or are datagrams. */
@Timeout(60)
final class RealTimeFaultTest {
  private static final int MESSAGES = 20;

  /** Networks in real time, with addresses of which any number of tests can run side by side. */
  enum RealTimeNetwork {
    IN_MEMORY("10.0.0.1", "10.0.0.2") {
      @Override
      Fabric open() {
        return InMemoryFabric.realTime();
      }
    },
    UDP("127.77.1.1", "127.77.1.2") {
      @Override
      Fabric open() {
        return UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of("127.77.1.1")));
      }
    };

    private final String sender;
    private final String receiver;

    RealTimeNetwork(String sender, String receiver) {
      this.sender = sender;
      this.receiver = receiver;
    }

    abstract Fabric open();
  }

  /** Two connected queue pairs under a plan. */
  private static final class RealTimeFixture implements AutoCloseable {
    private final List<String> ladder = Collections.synchronizedList(new ArrayList<>());
    private final Emulator emulator;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final MemoryRegion source;
    private final MemoryRegion target;

    private RealTimeFixture(RealTimeNetwork network, String plan) {
      emulator =
          Emulator.on(LadderTrace.on(network.open(), ladder::add))
              .injectFaults(FaultPlan.parse(plan));
      Context left = emulator.addDevice(network.sender).open();
      Context right = emulator.addDevice(network.receiver).open();
      sent = left.createCq(MESSAGES);
      received = right.createCq(MESSAGES);
      ProtectionDomain senders = left.allocPd();
      ProtectionDomain receivers = right.allocPd();
      sender = senders.createQp(QpInitAttr.rc(sent, QpCap.of(MESSAGES)));
      receiver = receivers.createQp(QpInitAttr.rc(received, QpCap.of(MESSAGES)));
      source = senders.regMr(ByteBuffer.allocateDirect(MESSAGES));
      target = receivers.regMr(ByteBuffer.allocateDirect(MESSAGES), AccessFlag.LOCAL_WRITE);
      Emulator.connect(sender, receiver);
    }

    private List<WcStatus> sendAll() {
      for (int i = 0; i < MESSAGES; i++) {
        source.buffer().put(i, (byte) (i + 1));
        receiver.postRecv(RecvWr.of(i, target.sge(i, 1)));
      }
      for (int i = 0; i < MESSAGES; i++) {
        sender.postSend(SendWr.send(i, source.sge(i, 1)));
      }
      List<WcStatus> statuses = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        WorkCompletion completion = emulator.await(sent);
        assertThat(completion.wrId()).isEqualTo(i);
        statuses.add(completion.status());
      }
      return statuses;
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  private static WcStatus[] all(WcStatus status) {
    return Collections.nCopies(MESSAGES, status).toArray(WcStatus[]::new);
  }

  @ParameterizedTest
  @EnumSource(RealTimeNetwork.class)
  void whatIsLostAndDoubledArrivesOnce(RealTimeNetwork network) {
    String plan = "drop 3rd SEND; drop every 5th ACK; duplicate every 4th SEND; corrupt 7th SEND";
    try (RealTimeFixture bench = new RealTimeFixture(network, plan)) {
      assertThat(bench.sendAll()).containsExactly(all(WcStatus.SUCCESS));

      assertThat(bench.target.buffer()).isEqualTo(bench.source.buffer());
      for (int i = 0; i < MESSAGES; i++) {
        assertThat(bench.emulator.await(bench.received).wrId()).isEqualTo(i);
      }
      Map<String, Long> taken = bench.emulator.faultCounts();
      assertThat(taken).containsEntry("drop 3rd SEND", 1L).containsEntry("corrupt 7th SEND", 1L);
      assertThat(taken.get("duplicate every 4th SEND")).isGreaterThanOrEqualTo(MESSAGES / 4);
      assertThat(bench.ladder).anyMatch(line -> line.endsWith("dropped: drop 3rd SEND"));
    }
  }

  @ParameterizedTest
  @EnumSource(RealTimeNetwork.class)
  void aForgedNakFailsOneSendAndFlushesTheRest(RealTimeNetwork network) {
    String plan = "forge nak remote_access_error 1st SEND where psn = 4";
    try (RealTimeFixture bench = new RealTimeFixture(network, plan)) {
      List<WcStatus> statuses = bench.sendAll();

      assertThat(statuses.subList(0, 4)).containsOnly(WcStatus.SUCCESS);
      assertThat(statuses.get(4)).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(statuses.subList(5, MESSAGES)).containsOnly(WcStatus.WR_FLUSH_ERR);
    }
  }

  @ParameterizedTest
  @EnumSource(RealTimeNetwork.class)
  void whatIsSentIntoAPortThatIsDownArrivesWhenItIsUpAgain(RealTimeNetwork network) {
    String plan = "port " + network.receiver + " down for 20ms";
    try (RealTimeFixture bench = new RealTimeFixture(network, plan)) {
      assertThat(bench.sendAll()).containsExactly(all(WcStatus.SUCCESS));

      assertThat(bench.target.buffer()).isEqualTo(bench.source.buffer());
      assertThat(bench.emulator.faultCounts()).containsEntry(plan.replace("for", "at 0ns for"), 1L);
    }
  }
}
