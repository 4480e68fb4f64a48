// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A server that waits for events and echoes, and a client that waits, or polls, and sleeps. */
final class EchoProgram {
  private static final int BYTES = 8;

  private final Emulator emulator;
  private final CompletionChannel channel;
  private final QueuePair serverQp;
  private final QueuePair clientQp;
  private final CompletionQueue clientCq;
  private final MemoryRegion serverMemory;
  private final MemoryRegion clientMemory;

  EchoProgram(Emulator emulator, int subnet) {
    this.emulator = emulator;
    ProtectionDomain client = emulator.addDevice("10.0." + subnet + ".1").open().allocPd();
    ProtectionDomain server = emulator.addDevice("10.0." + subnet + ".2").open().allocPd();
    channel = server.context().createCompChannel();
    CompletionQueue serverCq = server.context().createCq(64, channel);
    serverCq.reqNotify(false);
    clientCq = client.context().createCq(64);
    clientQp = client.createQp(QpInitAttr.rc(clientCq, QpCap.of(16)));
    serverQp = server.createQp(QpInitAttr.rc(serverCq, QpCap.of(16)));
    Emulator.connect(clientQp, serverQp);
    clientMemory = client.regMr(ByteBuffer.allocateDirect(2 * BYTES), AccessFlag.LOCAL_WRITE);
    serverMemory = server.regMr(ByteBuffer.allocateDirect(BYTES), AccessFlag.LOCAL_WRITE);
    serverQp.postRecv(RecvWr.of(1, serverMemory.sge()));
  }

  /** The server, which ends after so many requests; -1 for never. */
  void serve(int requests) {
    serve(requests, this::answer);
  }

  /** Echoes. */
  void answer() {
    serverQp.postSend(SendWr.send(2, serverMemory.sge()));
  }

  /** Serves requests by another action. */
  void serve(int requests, Runnable request) {
    int left = requests;
    while (left != 0) {
      CompletionQueue cq = channel.getCqEvent();
      cq.ackEvents(1);
      cq.reqNotify(false);
      for (WorkCompletion wc : cq.poll(16)) {
        if (!wc.isSuccess()) {
          throw new IllegalStateException(wc.explain());
        }
        if (wc.opcode() == WcOpcode.RECV) {
          serverQp.postRecv(RecvWr.of(1, serverMemory.sge()));
          request.run();
          left--;
        }
      }
    }
  }

  /** The client. */
  void call(int requests, boolean polls) {
    for (int i = 0; i < requests; i++) {
      ask();
      int found = 0;
      while (found < 2) {
        if (polls) {
          found += clientCq.poll(1).size();
        } else {
          emulator.await(clientCq);
          found++;
        }
      }
      if (i % 4 == 0) {
        emulator.sleep(Duration.ofNanos(700L * i));
      }
    }
  }

  /** The client sends a request, with a receive for the answer. */
  void ask() {
    clientQp.postRecv(RecvWr.of(1, clientMemory.sge(0, BYTES)));
    clientQp.postSend(SendWr.send(2, clientMemory.sge(BYTES, BYTES)));
  }

  CompletionQueue clientCq() {
    return clientCq;
  }

  QueuePair clientQp() {
    return clientQp;
  }
}
