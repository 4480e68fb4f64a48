// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.demo;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.EmulatorBuilder;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Runs the demo: two queue pairs from RESET to RTS, three operations, and one that fails. */
final class DemoScript implements AutoCloseable {
  private static final String GREETING = "hello over RDMA";
  private static final int WRITE_BYTES = 2500;

  /** Offsets in the memory of both endpoints. */
  private static final int MESSAGE_AT = 0;

  private static final int WRITTEN_AT = 1024;
  private static final int READ_AT = 4096;

  private final DemoPrinter demoPrinter;
  private final Fabric fabric;
  private final Emulator emulator;
  private final DemoEndpoint a;
  private final DemoEndpoint b;

  DemoScript(
      DemoPrinter demoPrinter,
      UnaryOperator<Fabric> fabricWrapper,
      UnaryOperator<EmulatorBuilder> faults) {
    this.demoPrinter = demoPrinter;
    fabric = LadderTrace.on(fabricWrapper.apply(InMemoryFabric.virtualTime()), demoPrinter::packet);
    emulator = faults.apply(Emulator.builder().fabric(fabric)).build();
    a = DemoEndpoint.on(emulator.addDevice("10.0.0.1"), "a", 100);
    b = DemoEndpoint.on(emulator.addDevice("10.0.0.2"), "b", 200);
  }

  Coverage coverage() {
    return emulator.coverage();
  }

  void run() {
    demoPrinter.paragraph(
        "Two devices, a and b, on a network inside this process, in simulated time: every run"
            + " prints the same. A line with | is a packet, with the time it left; psn is its"
            + " packet sequence number, ackreq asks for an answer, msn counts the messages the"
            + " answering side has completed; migrated is set as long as no second path is armed.");
    introduce();
    connect();
    send();
    write();
    read();
    fail();
    demoPrinter.paragraph("");
    demoPrinter.paragraph("Next: queuepair devinfo -v, queuepair pingpong --help");
  }

  private void introduce() {
    demoPrinter.step(
        "Each program opens its device, registers memory and makes a queue pair (QP), the end of a"
            + " connection to be.");
    introduce(a);
    introduce(b);
    demoPrinter.fact("QP numbers, addresses and keys are each device's own, so they may be equal");
    showStates();
  }

  private void introduce(DemoEndpoint endpoint) {
    demoPrinter.fact(
        String.format(
            "%s: device %s, address %s, QP 0x%06x; %d bytes at 0x%x, rkey 0x%08x",
            endpoint.name(),
            endpoint.context().device().name(),
            endpoint.context().queryGid(1, 0).toAddress().getHostAddress(),
            endpoint.qp().qpNum(),
            endpoint.memory().length(),
            endpoint.memory().addr(),
            endpoint.memory().rkey()));
  }

  private void connect() {
    demoPrinter.step(
        "INIT: the QPs learn their port, their P_Key and what a peer may do; receives may be"
            + " posted.");
    toInit(a);
    toInit(b);
    showStates();
    demoPrinter.step(
        "RTR, ready to receive: they learn each other's address, QP number and first PSN.");
    toReadyToReceive(a, b);
    toReadyToReceive(b, a);
    showStates();
    demoPrinter.step("RTS, ready to send: they learn their own first PSN, time-out and retries.");
    toReadyToSend(a);
    toReadyToSend(b);
    showStates();
  }

  private static void toInit(DemoEndpoint endpoint) {
    endpoint
        .qp()
        .modify(
            QpAttr.to(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE));
  }

  private static void toReadyToReceive(DemoEndpoint endpoint, DemoEndpoint peer) {
    endpoint
        .qp()
        .modify(
            QpAttr.to(QpState.RTR)
                .ahAttr(AhAttr.to(peer.context().queryGid(1, 0)))
                .pathMtu(Mtu.MTU_1024)
                .destQpNum(peer.qp().qpNum())
                .rqPsn(peer.firstPsn())
                .minRnrTimer(12)
                .maxDestRdAtomic(1));
  }

  private static void toReadyToSend(DemoEndpoint endpoint) {
    endpoint
        .qp()
        .modify(
            QpAttr.to(QpState.RTS)
                .sqPsn(endpoint.firstPsn())
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
  }

  private void send() {
    demoPrinter.step("SEND: b posts a receive, a sends into it; both get a completion.");
    byte[] message = GREETING.getBytes(StandardCharsets.UTF_8);
    a.write(MESSAGE_AT, message);
    b.qp().postRecv(RecvWr.of(20, b.memory().sge(MESSAGE_AT, WRITTEN_AT)));
    a.qp().postSend(SendWr.send(1, a.memory().sge(MESSAGE_AT, message.length)));
    settle();
    verify(b, MESSAGE_AT, message);
    demoPrinter.fact("b has: \"" + b.readText(MESSAGE_AT, message.length) + "\"");
  }

  private void write() {
    demoPrinter.step(
        "WRITE: a names memory of b by address and rkey; it takes three packets, and the program at"
            + " b notices nothing.");
    byte[] pattern = new byte[WRITE_BYTES];
    for (int i = 0; i < pattern.length; i++) {
      pattern[i] = (byte) i;
    }
    a.write(WRITTEN_AT, pattern);
    a.qp()
        .postSend(
            SendWr.rdmaWrite(
                2,
                b.memory().addr() + WRITTEN_AT,
                b.memory().rkey(),
                a.memory().sge(WRITTEN_AT, WRITE_BYTES)));
    settle();
    verify(b, WRITTEN_AT, pattern);
    demoPrinter.fact("the memory of b holds the " + WRITE_BYTES + " bytes");
  }

  private void read() {
    demoPrinter.step(
        "READ: a fetches them back; one packet asks, three answer, no program at b acts.");
    a.qp()
        .postSend(
            SendWr.rdmaRead(
                3,
                b.memory().addr() + WRITTEN_AT,
                b.memory().rkey(),
                a.memory().sge(READ_AT, WRITE_BYTES)));
    settle();
    verify(a, READ_AT, a.read(WRITTEN_AT, WRITE_BYTES));
    demoPrinter.fact("the memory of a holds the same " + WRITE_BYTES + " bytes twice");
  }

  private void fail() {
    demoPrinter.step(
        "A WRITE with a wrong rkey, and a SEND after it: b refuses with a NAK, both QPs fall into"
            + " ERR, and all that was posted is flushed.");
    a.qp().postRecv(RecvWr.of(10, a.memory().sge(MESSAGE_AT, WRITTEN_AT)));
    b.qp().postRecv(RecvWr.of(21, b.memory().sge(MESSAGE_AT, WRITTEN_AT)));
    int wrongKey = b.memory().rkey() + 1;
    a.qp()
        .postSend(SendWr.rdmaWrite(4, b.memory().addr(), wrongKey, a.memory().sge(MESSAGE_AT, 64)));
    a.qp().postSend(SendWr.send(5, a.memory().sge(MESSAGE_AT, 64)));
    settle();
    showStates();
    demoPrinter.fact("an ERR QP comes back by RESET, INIT, RTR, RTS");
  }

  /** Runs the network until no events are left, then reports the results. */
  private void settle() {
    while (fabric.scheduler().runNext()) {
      // Each call runs one event; the ladder prints the packets.
    }
    report(a);
    report(b);
  }

  private void report(DemoEndpoint endpoint) {
    for (WorkCompletion completion : endpoint.cq().poll(endpoint.cq().cqe())) {
      demoPrinter.completion(endpoint.name(), completion);
    }
    Optional<AsyncEvent> event = endpoint.context().getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      demoPrinter.event(endpoint.name(), event.get());
      endpoint.context().ackAsyncEvent(event.get());
      event = endpoint.context().getAsyncEvent(Duration.ZERO);
    }
  }

  private void showStates() {
    demoPrinter.fact("state of a: " + a.state() + ", of b: " + b.state());
  }

  private static void verify(DemoEndpoint endpoint, int offset, byte[] expected) {
    if (!Arrays.equals(endpoint.read(offset, expected.length), expected)) {
      throw new CommandFailure("the memory of " + endpoint.name() + " does not hold what was sent");
    }
  }

  @Override
  public void close() {
    emulator.close();
  }
}
