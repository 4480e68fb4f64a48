// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Objects that the queue pairs of one side share: one buffer for sends and receives, one completion
 * queue, one port and GID. All are closed with the device.
 */
final class PingpongContext {
  static final int RECV_WR_ID = 1;
  static final int SEND_WR_ID = 2;

  private static final int PAGE_BYTES = 4096;
  private static final byte FILL = 0x7b;
  private static final int PSN_LIMIT = 1 << 24;

  /** Hop limit in the example programs of libibverbs. */
  private static final int HOP_LIMIT = 1;

  private final PingpongOptions options;
  private final int sizeBytes;
  private final int headroomBytes;
  private final DevicePort port;
  final ProtectionDomain pd;
  private final MemoryRegion buffer;
  final CompletionChannel channel;
  final CompletionQueue cq;

  /**
   * Creates the shared objects.
   *
   * @param cqe most completions pending at once
   */
  PingpongContext(Context context, PingpongOptions options, int cqe) {
    this.options = options;
    port = DevicePort.of(context, options.devicePort, options.gidIndex);
    sizeBytes = options.sizeBytes();
    options.type.check(sizeBytes, options.pathMtu(), port.activeMtu());
    headroomBytes = options.type.headroomBytes();
    pd = context.allocPd();
    buffer = pd.regMr(filledBuffer(headroomBytes + sizeBytes), AccessFlag.LOCAL_WRITE);
    channel = options.usesEvents ? context.createCompChannel() : null;
    cq = context.createCq(cqe, channel);
  }

  private static ByteBuffer filledBuffer(int size) {
    ByteBuffer memory = WorkBuffer.allocate(size);
    for (int i = 0; i < size; i++) {
      memory.put(i, FILL);
    }
    return memory;
  }

  PingpongType type() {
    return options.type;
  }

  Mtu pathMtu() {
    return options.pathMtu();
  }

  Gid gid() {
    return port.gid();
  }

  /** Requests an event for the next completion, if the program waits for events. */
  void awaitEvents() {
    if (channel != null) {
      cq.reqNotify(false);
    }
  }

  static int randomPsn() {
    return ThreadLocalRandom.current().nextInt(PSN_LIMIT);
  }

  AhAttr path(Gid peer) {
    return port.wayTo(peer, options.serviceLevel, HOP_LIMIT);
  }

  void initialize(QueuePair qp) {
    modify(qp, options.type.init().portNum(port.number()));
  }

  static void modify(QueuePair qp, QpAttr attr) {
    try {
      qp.modify(attr);
    } catch (VerbsException refused) {
      throw new CommandFailure(
          "Failed to modify QP to " + attr.qpState() + ": " + refused.getMessage(), refused);
    }
  }

  RecvWr receive() {
    return RecvWr.of(RECV_WR_ID, buffer.sge());
  }

  /** Work request that sends the message, inline if the queue pair allows it. */
  SendWr sendBy(QueuePair qp) {
    SendWr send = SendWr.send(SEND_WR_ID, buffer.sge(headroomBytes, sizeBytes));
    boolean fits = qp.initAttr().cap().maxInlineData() >= sizeBytes;
    return fits ? send.withFlags(SendFlag.SIGNALED, SendFlag.INLINE) : send;
  }

  /** Marks the first byte of each page of the message, for the check by the server. */
  void mark() {
    for (int page = 0; page < pages(); page++) {
      buffer.buffer().put(startOf(page), (byte) 0);
    }
  }

  /** Pages of the message without their mark. */
  List<Integer> invalidPages() {
    List<Integer> invalid = new ArrayList<>();
    for (int page = 0; page < pages(); page++) {
      if (buffer.buffer().get(startOf(page)) != 0) {
        invalid.add(page);
      }
    }
    return invalid;
  }

  private int startOf(int page) {
    return headroomBytes + page * PAGE_BYTES;
  }

  private int pages() {
    return (sizeBytes - 1) / PAGE_BYTES + 1;
  }
}
