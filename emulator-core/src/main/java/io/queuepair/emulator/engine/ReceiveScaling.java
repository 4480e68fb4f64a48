// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.IpPacket;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.ToeplitzHash;
import io.queuepair.verbs.RxHashConf;
import java.util.List;

/** How a queue pair spreads frames over work queues: receive side scaling. */
public final class ReceiveScaling {
  private final List<QpEngine> table;
  private final ToeplitzHash hash;

  /**
   * Checked values.
   *
   * @param table the work queues, as many as a power of two
   */
  public ReceiveScaling(List<QpEngine> table, RxHashConf conf) {
    assert Integer.bitCount(table.size()) == 1 : table.size();
    this.table = List.copyOf(table);
    hash = new ToeplitzHash(conf);
  }

  /** The work queue that gets a frame: of all that is not IP the first. */
  QpEngine queueFor(RawFrame frame) {
    IpPacket ip = frame.ip();
    int hashed = ip == null ? 0 : hash.of(ip);
    return table.get(hashed & (table.size() - 1));
  }
}
