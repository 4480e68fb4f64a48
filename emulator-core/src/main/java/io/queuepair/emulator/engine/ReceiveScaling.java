// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.IpPacket;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.ToeplitzHash;
import io.queuepair.verbs.RxHashConf;
import java.util.List;

/** How a queue pair spreads frames over work queues: receive side scaling. */
public final class ReceiveScaling {
  private final List<QpEngine> qpEngines;
  private final ToeplitzHash hash;

  /**
   * Checked values.
   *
   * @param qpEngines the work queues, as many as a power of two
   */
  public ReceiveScaling(List<QpEngine> qpEngines, RxHashConf conf) {
    assert Integer.bitCount(qpEngines.size()) == 1 : qpEngines.size();
    this.qpEngines = List.copyOf(qpEngines);
    hash = new ToeplitzHash(conf);
  }

  /** The work queue that gets a frame: of all that is not IP the first. */
  QpEngine queueFor(RawFrame frame) {
    IpPacket ip = frame.ip();
    int hashed = ip == null ? 0 : hash.of(ip);
    return qpEngines.get(hashed & (qpEngines.size() - 1));
  }
}
