// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices with several addresses, in real time, under plans that keep packets back. */
@Timeout(60)
final class SeveralAddressesTest {
  private static final int MESSAGES = 3_000;

  @AutoClose("shutdownNow")
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A fabric that counts how often two threads were on one link at the same time. */
  private static final class Watched extends ForwardingFabric {
    private final AtomicInteger collisions = new AtomicInteger();

    Watched(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      return new ForwardingLink(super.attach(address, station)) {
        private final AtomicBoolean isBusy = new AtomicBoolean();

        @Override
        public void send(Traffic traffic, String note) {
          alone(() -> super.send(traffic, note));
        }

        @Override
        public void endTurn() {
          alone(super::endTurn);
        }

        private void alone(Runnable step) {
          if (!isBusy.compareAndSet(false, true)) {
            collisions.incrementAndGet();
          }
          try {
            step.run();
          } finally {
            isBusy.set(false);
          }
        }
      };
    }
  }

  /** Datagrams, as nothing is lost and no thread waits, from one address of a device to another. */
  private static final class AddressFlow {
    private static final int GRH_BYTES = 40;

    private final Emulator emulator;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final AddressHandle ah;

    AddressFlow(Emulator emulator, Context left, Context right, int gidIndex) {
      this.emulator = emulator;
      sent = left.createCq(1);
      received = right.createCq(MESSAGES);
      sender = createQp(left.allocPd(), sent);
      receiver = createQp(right.allocPd(), received);
      GlobalRoute route = GlobalRoute.to(right.queryGid(1, gidIndex), gidIndex);
      ah = sender.pd().createAh(new AhAttr(route, 0, 1));
      MemoryRegion headers =
          TestEndpoint.registerIn(receiver.pd(), GRH_BYTES, TestEndpoint.ALL_RIGHTS);
      for (int i = 0; i < MESSAGES; i++) {
        receiver.postRecv(RecvWr.of(i, headers.sge()));
      }
    }

    private static QueuePair createQp(ProtectionDomain pd, CompletionQueue cq) {
      QueuePair qp = pd.createQp(QpInitAttr.of(QpType.UD, cq, QpCap.of(MESSAGES)));
      Attributes.connect(qp, null, 0, 0);
      return qp;
    }

    /** Messages that arrived, by immediate data. */
    List<Integer> sendAll(CyclicBarrier start) throws Exception {
      start.await();
      for (int i = 0; i < MESSAGES; i++) {
        sender.postSend(SendWr.sendWithImm(i, i).to(ah, receiver.qpNum(), TestEndpoint.QKEY));
        take(sent);
      }
      return IntStream.range(0, MESSAGES).mapToObj(i -> take(received).immData()).toList();
    }

    private WorkCompletion take(CompletionQueue cq) {
      WorkCompletion completion = emulator.await(cq);
      assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
      return completion;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, delay up to 30us 30%",
    "4, delay up to 30us 30%",
    "4, reorder 30%",
    "4, delay up to 30us 30%; reorder 30%",
  })
  void aDeviceSendsInOneTurnAtATime(int addresses, String plan) throws Exception {
    Watched network = new Watched(InMemoryFabric.realTime());
    try (Emulator emulator = Emulator.on(network).injectFaults(FaultPlan.parse(plan))) {
      Context left = emulator.addDevice(addressesOf("10.0.1.", addresses)).open();
      Context right = emulator.addDevice(addressesOf("10.0.2.", addresses)).open();
      CyclicBarrier start = new CyclicBarrier(addresses);
      List<Future<List<Integer>>> running = new ArrayList<>();
      for (int i = 0; i < addresses; i++) {
        AddressFlow flow = new AddressFlow(emulator, left, right, i);
        running.add(threads.submit(() -> flow.sendAll(start)));
      }

      for (Future<List<Integer>> arrived : running) {
        assertThat(arrived.get())
            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, MESSAGES).boxed().toList());
      }
      assertThat(network.collisions).hasValue(0);
    }
  }

  private static String[] addressesOf(String prefix, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }
}
