// SPDX-License-Identifier: Apache-2.0
package org.example.app;

import io.queuepair.emulator.Emulator;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.udp.UdpOptions.Transport;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.List;

/** Sends a message over UDP, with sockets of the kind that the argument names. */
final class Hello {
  private Hello() {}

  public static void main(String[] args) {
    UdpOptions options = UdpOptions.defaults().withTransport(Transport.valueOf(args[0]));
    List<String> addresses = options.freeLoopbackAddresses(2);
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      ProtectionDomain a = emulator.addDevice(addresses.get(0)).open().allocPd();
      ProtectionDomain b = emulator.addDevice(addresses.get(1)).open().allocPd();
      CompletionQueue sent = a.context().createCq(8);
      CompletionQueue received = b.context().createCq(8);
      QueuePair qpA = a.createQp(QpInitAttr.rc(sent, QpCap.of(8)));
      QueuePair qpB = b.createQp(QpInitAttr.rc(received, QpCap.of(8)));
      Emulator.connect(qpA, qpB);
      MemoryRegion from = a.regMr(ByteBuffer.allocateDirect(5));
      MemoryRegion to = b.regMr(ByteBuffer.allocateDirect(5), AccessFlag.LOCAL_WRITE);
      qpB.postRecv(RecvWr.of(1, to.sge()));
      qpA.postSend(SendWr.send(2, from.sge()));
      System.out.println("sent over " + args[0] + ": " + emulator.await(sent).status());
      System.out.println("received: " + emulator.await(received).byteLen() + " bytes");
    }
    System.out.println("jdk.net: " + ModuleLayer.boot().findModule("jdk.net").isPresent());
  }
}
