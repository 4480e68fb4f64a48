// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** Programs that need little of what a process has, to be run with little of it. */
final class LimitedProgram {
  static final String SUBNET = "127.0.94.";

  private static final int MANY_DEVICES = 250;
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int FREED_CHUNKS = 64;
  private static final int ROUNDS = 5;
  private static final int MESSAGES = 200;
  private static final int CONNECTIONS = 5_000;

  private LimitedProgram() {}

  /**
   * Runs one of them, which says what came of it.
   *
   * @param args its name, and of some a transport and a UDP port
   */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "descriptors" -> useUpDescriptors(udp(args));
      case "heap" -> fillHeap(args.length == 1 ? Emulator.inMemory() : on(udp(args)));
      case "many" -> connectMany();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static UdpOptions udp(String... args) {
    return UdpOptions.defaults()
        .withTransport(UdpOptions.Transport.valueOf(args[1]))
        .withPort(Integer.parseInt(args[2]));
  }

  private static Emulator on(UdpOptions options) {
    return Emulator.on(UdpFabric.open(options));
  }

  /** Those of networks: sockets, pipes and event polls. The JVM opens files at times of its own. */
  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(LimitedProgram::isOfANetwork).count();
    }
  }

  private static boolean isOfANetwork(Path descriptor) {
    try {
      return !Files.readSymbolicLink(descriptor).isAbsolute();
    } catch (IOException isClosed) {
      return false;
    }
  }

  /** Opens devices until the system refuses one, and closes all of them. */
  private static void useUpDescriptors(UdpOptions options) throws IOException {
    openOne(options); // Also loads the classes that are needed when there is no descriptor left.
    try (Emulator emulator = on(options)) {
      System.out.println("refused: " + refusal(emulator, "192.0.2.77"));
    }
    long before = descriptors();

    try (Emulator emulator = on(options)) {
      String refusal = null;
      for (int i = 1; i < MANY_DEVICES && refusal == null; i++) {
        refusal = refusal(emulator, SUBNET + i);
      }
      System.out.println("refused: " + refusal);
    }
    openOne(options);

    System.out.println("descriptors left open: " + (descriptors() - before));
  }

  private static void openOne(UdpOptions options) {
    try (Emulator emulator = on(options)) {
      emulator.addDevice(SUBNET + 1).open();
    }
  }

  private static String refusal(Emulator emulator, String address) {
    try {
      emulator.addDevice(address);
      return null;
    } catch (FabricException refused) {
      return refused.getMessage();
    }
  }

  /** A connection on which messages are counted. */
  private static final class CountedMessages {
    private final Emulator emulator;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final MemoryRegion source;
    private final MemoryRegion target;

    CountedMessages(Emulator emulator) {
      this.emulator = emulator;
      ProtectionDomain here = emulator.addDevice(SUBNET + 1).open().allocPd();
      ProtectionDomain there = emulator.addDevice(SUBNET + 2).open().allocPd();
      sent = here.context().createCq(1);
      received = there.context().createCq(1);
      sender = here.createQp(QpInitAttr.rc(sent, QpCap.of(1)));
      receiver = there.createQp(QpInitAttr.rc(received, QpCap.of(1)));
      Emulator.connect(sender, receiver);
      source = here.regMr(ByteBuffer.allocateDirect(Long.BYTES));
      target = there.regMr(ByteBuffer.allocateDirect(Long.BYTES), AccessFlag.LOCAL_WRITE);
    }

    void exchange(long number) {
      source.buffer().putLong(0, number);
      receiver.postRecv(RecvWr.of(number, target.sge()));
      sender.postSend(SendWr.send(number, source.sge()));
      requireSuccess(emulator, received);
      requireSuccess(emulator, sent);
      if (target.buffer().getLong(0) != number) {
        throw new AssertionError("not what was sent: " + target.buffer().getLong(0));
      }
    }
  }

  private static void requireSuccess(Emulator emulator, CompletionQueue cq) {
    var completion = emulator.await(cq);
    if (!completion.isSuccess()) {
      throw new AssertionError(completion.explain());
    }
  }

  /** Exchanges messages again and again after the heap was full, and while it almost is. */
  private static void fillHeap(Emulator open) {
    try (Emulator emulator = open) {
      CountedMessages messages = new CountedMessages(emulator);
      Deque<byte[]> hog = new ArrayDeque<>();
      long number = 0;
      for (int round = 0; round < ROUNDS; round++) {
        fill(hog);
        for (int i = 0; i < MESSAGES; i++) {
          messages.exchange(number++);
        }
        hog.clear();
      }
      System.out.println("messages: " + number);
    }
  }

  private static void fill(Deque<byte[]> hog) {
    try {
      while (true) {
        hog.add(new byte[CHUNK_BYTES]);
      }
    } catch (OutOfMemoryError isFull) {
      for (int i = 0; i < FREED_CHUNKS; i++) {
        hog.poll();
      }
    }
  }

  /** Twice, as what is destroyed takes no memory. */
  private static void connectMany() {
    try (Emulator emulator = Emulator.inMemory()) {
      ProtectionDomain here = emulator.addDevice("10.0.0.1").open().allocPd();
      ProtectionDomain there = emulator.addDevice("10.0.0.2").open().allocPd();
      for (int i = 0; i < 2; i++) {
        connectMany(emulator, here, there);
        System.out.println("connections: " + CONNECTIONS);
      }
    }
  }

  private static void connectMany(
      Emulator emulator, ProtectionDomain here, ProtectionDomain there) {
    List<QueuePair> senders = new ArrayList<>();
    List<QueuePair> receivers = new ArrayList<>();
    CompletionQueue sent = here.context().createCq(CONNECTIONS);
    CompletionQueue received = there.context().createCq(CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++) {
      senders.add(here.createQp(QpInitAttr.rc(sent, QpCap.of(1))));
      receivers.add(there.createQp(QpInitAttr.rc(received, QpCap.of(1))));
      Emulator.connect(senders.get(i), receivers.get(i));
    }
    for (int i = 0; i < CONNECTIONS; i++) {
      receivers.get(i).postRecv(RecvWr.of(i));
      senders.get(i).postSend(SendWr.send(i));
      requireSuccess(emulator, received);
      requireSuccess(emulator, sent);
    }
    senders.forEach(qp -> qp.modify(QpAttr.to(QpState.ERR)));
    senders.forEach(QueuePair::close);
    receivers.forEach(QueuePair::close);
    sent.close();
    received.close();
  }
}
