// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Many reliable connections between two hosts, each of which carries a stream of messages. */
final class Streams implements AutoCloseable {
  /** Of each stream. */
  static final int MESSAGES = 20;

  private final Fabric fabric;
  private final Emulator emulator;
  private final List<String> ladder = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();

  /** By the number of the queue pair. */
  private final Map<Integer, Stream> bySender = new TreeMap<>();

  private final Map<Integer, Stream> byReceiver = new TreeMap<>();
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final WorkCompletion[] polled = new WorkCompletion[1];

  private Streams(int count, FaultPlan plan, boolean isTraced) {
    Fabric network = InMemoryFabric.create(InMemoryOptions.virtualTime().withPollRunsEvents(false));
    fabric = isTraced ? LadderTrace.on(network, ladder::add) : network;
    emulator = Emulator.on(fabric).injectFaults(plan);
    Context a = emulator.addDevice("10.0.0.1").open();
    Context b = emulator.addDevice("10.0.0.2").open();
    ProtectionDomain senders = a.allocPd();
    ProtectionDomain receivers = b.allocPd();
    sendCq = a.createCq(count * MESSAGES);
    recvCq = b.createCq(count * MESSAGES);
    for (int i = 0; i < count; i++) {
      Stream stream = new Stream(createQp(senders, sendCq), createQp(receivers, recvCq));
      streams.add(stream);
      bySender.put(stream.sender().qpNum(), stream);
      byReceiver.put(stream.receiver().qpNum(), stream);
    }
  }

  private static QueuePair createQp(ProtectionDomain pd, CompletionQueue cq) {
    return pd.createQp(QpInitAttr.rc(cq, QpCap.of(MESSAGES)));
  }

  /** Lets all streams run until nothing is left to happen. */
  static Streams run(int count, FaultPlan plan) {
    return run(new Streams(count, plan, false));
  }

  /** The same with a ladder. */
  static Streams traced(int count, FaultPlan plan) {
    return run(new Streams(count, plan, true));
  }

  private static Streams run(Streams streams) {
    streams.streams.forEach(Stream::start);
    streams.poll();
    while (streams.fabric.scheduler().runNext()) {
      streams.poll();
    }
    return streams;
  }

  private void poll() {
    while (sendCq.poll(polled) == 1) {
      bySender.get(polled[0].qpNum()).sent(polled[0]);
    }
    while (recvCq.poll(polled) == 1) {
      Stream stream = byReceiver.get(polled[0].qpNum());
      stream.received(polled[0], fabric.scheduler().nowNanos());
    }
  }

  List<Stream> all() {
    return streams;
  }

  List<String> ladder() {
    return ladder;
  }

  /** Packets that a plan of one statement has dropped. */
  long dropped() {
    return emulator.faultCounts().values().iterator().next();
  }

  @Override
  public void close() {
    emulator.close();
  }
}
