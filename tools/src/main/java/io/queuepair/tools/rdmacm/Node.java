// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One queue pair of a side: its id, and the one buffer that all its messages are sent from and
 * received into.
 */
final class Node implements AutoCloseable {
  private static final int GRH_BYTES = 40;

  private final RdmaCmId id;
  private final int messageCount;
  private final int messageBytes;
  private final ByteBuffer memory;
  private MemoryRegion region;
  private DatagramPeer peer;
  private boolean isConnected;

  Node(RdmaCmId id, MessageOptions messages) {
    this.id = id;
    messageCount = messages.count();
    messageBytes = messages.size;
    memory = WorkBuffer.allocate(GRH_BYTES + (long) messageBytes);
    id.setContext(this);
  }

  /** The node that an id belongs to. */
  static Node of(RdmaCmId id) {
    return (Node) id.context();
  }

  RdmaCmId id() {
    return id;
  }

  boolean isConnected() {
    return isConnected;
  }

  void setConnected(boolean newState) {
    isConnected = newState;
  }

  /** Creates the queue pair, once the id is bound to a device. */
  void createQp(QpCreateFlag... flags) {
    QpCap cap = QpCap.of(Math.max(1, messageCount));
    QpInitAttrEx attr = QpInitAttrEx.of(new QpInitAttr(id.qpType(), null, null, null, cap, true));
    id.createQpEx(null, flags.length == 0 ? attr : attr.withCreateFlags(flags));
    region = id.regMsgs(memory);
  }

  /** Posts the receives of all messages: a datagram comes with room for its GRH. */
  void postReceives() {
    for (int message = 0; message < messageCount; message++) {
      id.postRecv(message, isDatagram() ? region.sge() : bytes());
    }
  }

  void sendTo(DatagramPeer newPeer) {
    peer = newPeer;
  }

  boolean hasPeer() {
    return peer != null;
  }

  /** Posts all messages; a datagram tells the receiver the queue pair to answer to. */
  void postSends() {
    for (int message = 0; message < messageCount; message++) {
      id.qp().postSend(isDatagram() ? datagram(message) : SendWr.send(message, bytes()));
    }
  }

  private SendWr datagram(int message) {
    SendWr send =
        new SendWr.SendWithImm(
            message, List.of(bytes()), Set.of(SendFlag.SIGNALED), id.qp().qpNum());
    return send.to(peer.ah(), peer.qpn(), peer.qkey());
  }

  private boolean isDatagram() {
    return id.ps().isDatagram();
  }

  private Sge bytes() {
    return region.sge(GRH_BYTES, messageBytes);
  }

  /** The GRH of the last datagram. */
  ByteBuffer grh() {
    return memory.slice(0, GRH_BYTES);
  }

  void awaitSends() {
    for (int message = 0; message < messageCount; message++) {
      next(id::getSendComp);
    }
  }

  void awaitReceives() {
    for (int message = 0; message < messageCount; message++) {
      nextReceived();
    }
  }

  WorkCompletion nextReceived() {
    return next(id::getRecvComp);
  }

  private static WorkCompletion next(Supplier<WorkCompletion> queue) {
    WorkCompletion completion = queue.get();
    if (!completion.isSuccess()) {
      WcStatus status = completion.status();
      throw new CommandFailure(
          String.format(
              Locale.ROOT,
              "Failed status %s (%d) for wr_id %d",
              status.text(),
              status.code(),
              completion.wrId()));
    }
    return completion;
  }

  @Override
  public void close() {
    id.close();
  }
}
