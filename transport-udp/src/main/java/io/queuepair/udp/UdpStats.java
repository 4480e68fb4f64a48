// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import java.util.concurrent.atomic.LongAdder;

/** Counts what happens on the event loop, readable by every thread. */
final class UdpStats {
  private final LongAdder burstsOut = new LongAdder();
  private final LongAdder datagramsOut = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder burstsIn = new LongAdder();
  private final LongAdder datagramsIn = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder sendFailures = new LongAdder();
  private final LongAdder receiveFailures = new LongAdder();

  void sent(int datagrams, int bytes) {
    burstsOut.increment();
    datagramsOut.add(datagrams);
    bytesOut.add(bytes);
  }

  void sendFailed(int datagrams) {
    sendFailures.add(datagrams);
  }

  void received(int bursts, int datagrams, long bytes) {
    burstsIn.add(bursts);
    datagramsIn.add(datagrams);
    bytesIn.add(bytes);
  }

  void refused() {
    refused.increment();
  }

  void receiveFailed() {
    receiveFailures.increment();
  }

  UdpCounters counters() {
    return new UdpCounters(
        burstsOut.sum(),
        datagramsOut.sum(),
        bytesOut.sum(),
        burstsIn.sum(),
        datagramsIn.sum(),
        bytesIn.sum(),
        refused.sum(),
        sendFailures.sum(),
        receiveFailures.sum());
  }
}
