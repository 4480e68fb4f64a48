// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import java.io.IOException;
import java.net.InetAddress;

/** A program that receives over UDP until it is killed, or its standard input ends. */
final class KilledPeer {
  static final int RECEIVES = 64;

  /** 134 milliseconds: on a busy machine a peer may be late. */
  private static final int TIMEOUT = 15;

  private KilledPeer() {}

  /**
   * Connects, and says the number of its queue pair.
   *
   * @param args its address, that of the peer, the number of the peer's queue pair, the UDP port
   */
  public static void main(String[] args) throws IOException {
    UdpOptions options = UdpOptions.defaults().withPort(Integer.parseInt(args[3]));
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      Context context = emulator.addDevice(args[0]).open();
      QueuePair qp =
          context.allocPd().createQp(QpInitAttr.rc(context.createCq(RECEIVES), QpCap.of(RECEIVES)));
      connect(qp, args[1], Integer.parseInt(args[2]));
      for (int i = 0; i < RECEIVES; i++) {
        qp.postRecv(RecvWr.of(i));
      }
      System.out.println(qp.qpNum());
      int ended = System.in.read();
      assert ended < 0;
    }
  }

  static void connect(QueuePair qp, String peer, int peerQpn) throws IOException {
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, Gid.of(InetAddress.getByName(peer)), peerQpn, 0));
    qp.modify(Attributes.rts(QpType.RC, 0).timeout(TIMEOUT).retryCnt(7));
  }
}
