// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.IpPacket;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.ToeplitzHash;
import io.queuepair.verbs.RxHashConf;
import java.util.List;

/** Receive side scaling (RSS): spreads the frames of a queue pair over work queues. */
public final class ReceiveScaling {
  private final List<QpEngine> qpEngines;
  private final ToeplitzHash hash;

  /**
   * Takes checked values.
   *
   * @param qpEngines work queues, a power of two of them
   */
  public ReceiveScaling(List<QpEngine> qpEngines, RxHashConf conf) {
    assert Integer.bitCount(qpEngines.size()) == 1 : qpEngines.size();
    this.qpEngines = List.copyOf(qpEngines);
    hash = new ToeplitzHash(conf);
  }

  /** Work queue that gets a frame; the first one for frames other than IP. */
  QpEngine queueFor(RawFrame frame) {
    IpPacket ip = frame.ip();
    int hashed = ip == null ? 0 : hash.of(ip);
    return qpEngines.get(hashed & (qpEngines.size() - 1));
  }
}
