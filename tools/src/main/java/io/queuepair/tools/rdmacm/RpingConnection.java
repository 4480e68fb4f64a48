// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One connection of rping: its queue pair, its memory, and its events in order. A separate thread
 * polls completions. The thread that has read a message posts the receive again, so that a peer
 * that sends unasked cannot fill a queue.
 */
final class RpingConnection implements AutoCloseable {
  private static final int SQ_DEPTH = 16;
  private static final int MAX_RECV_WR = 2;

  private final RpingSettings settings;
  final RdmaCmId id;
  private final BlockingQueue<RpingState> news = new LinkedBlockingQueue<>();

  /** Released once the connection is established or has failed. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private QueuePair qp;
  private CompletionQueue cq;
  private CompletionChannel channel;
  private RpingBuffers buffers;
  private Thread completions;

  /** Number of messages received; used by the thread that polls completions. */
  private int received;

  /** State that the latest wait returned. */
  private RpingState last = RpingState.IDLE;

  RpingConnection(RpingSettings settings, RdmaCmId id) {
    this.settings = settings;
    this.id = id;
  }

  RpingBuffers buffers() {
    return buffers;
  }

  /** Creates the queue pair and posts the first receive; the id must be bound to a device. */
  void prepare() {
    channel = id.verbs().createCompChannel();
    cq = id.verbs().createCq(SQ_DEPTH * 2, channel);
    cq.reqNotify(false);
    qp = createQp(QpInitAttr.of(QpType.RC, cq, new QpCap(SQ_DEPTH, MAX_RECV_WR, 1, 1, 0)));
    buffers = new RpingBuffers(id.pd(), settings.size());
    settings.debug("created qp %s", qp);
    postReceive();
    completions = new Thread(this::takeCompletions, "rping cq");
    completions.setDaemon(true);
    completions.start();
  }

  /** Creates the queue pair through the id, or separately. */
  private QueuePair createQp(QpInitAttr attr) {
    if (!settings.ownsQp()) {
      id.createQp(null, attr);
      return id.qp();
    }
    QueuePair own = id.pd().createQp(attr);
    own.modify(id.initQpAttr(QpState.INIT));
    return own;
  }

  void connect() {
    RdmaConnParam param = RdmaConnParam.of(1, 1);
    id.connect(settings.ownsQp() ? param.withQp(qp.qpNum(), false) : param);
  }

  /** Completes the connection after the peer has accepted. */
  void establish() {
    if (settings.ownsQp()) {
      makeReady();
      id.establish();
    }
  }

  void accept() {
    if (settings.ownsQp()) {
      makeReady();
      id.accept(RdmaConnParam.of(1, 1).withQp(qp.qpNum(), false));
    } else {
      id.accept();
    }
  }

  private void makeReady() {
    qp.modify(id.initQpAttr(QpState.RTR));
    qp.modify(id.initQpAttr(QpState.RTS));
  }

  void postReceive() {
    qp.postRecv(RecvWr.of(0, buffers.received.sge()));
  }

  void send() {
    qp.postSend(SendWr.send(0, buffers.sent.sge()));
  }

  void read(RemoteBuffer from) {
    qp.postSend(SendWr.rdmaRead(0, from.addr(), from.rkey(), sink(from.size())));
  }

  void write(int length, RemoteBuffer to) {
    qp.postSend(SendWr.rdmaWrite(0, to.addr(), to.rkey(), sink(length)));
  }

  private Sge sink(int length) {
    MemoryRegion sink = buffers.sink;
    return sink.sge(0, length);
  }

  /** Reports an event to the waiting thread. */
  void tell(RpingState state) {
    news.add(state);
  }

  /** Records that the connection is established or has failed. */
  void settle() {
    settled.countDown();
  }

  /** Waits for the next event; prints a message if another one was expected. */
  boolean await(RpingState expected) {
    RpingState state = next();
    if (state != expected) {
      settings.err().printf("wait for %s state %d%n", expected, state.code());
    }
    last = state;
    return state == expected;
  }

  /** Whether the latest wait ended because the peer disconnected. */
  boolean isDisconnected() {
    return last == RpingState.DISCONNECTED;
  }

  /**
   * Disconnects. Unless the peer has disconnected before, waits for its answer or the time-out, as
   * a lost DREQ is sent again only while this process lives. Messages may arrive before the RTU;
   * until the RTU is here, nothing can be disconnected.
   */
  void end() {
    boolean waits = last != RpingState.DISCONNECTED;
    awaitSettled();
    id.disconnect();
    while (waits) {
      RpingState state = next();
      waits = state != RpingState.DISCONNECTED && state != RpingState.ERROR;
    }
  }

  private RpingState next() {
    try {
      return news.take();
    } catch (InterruptedException end) {
      throw interrupted(end);
    }
  }

  private void awaitSettled() {
    try {
      settled.await();
    } catch (InterruptedException end) {
      throw interrupted(end);
    }
  }

  private static CommandFailure interrupted(InterruptedException end) {
    Thread.currentThread().interrupt();
    return new CommandFailure("interrupted", end);
  }

  private void takeCompletions() {
    WorkCompletion[] completion = new WorkCompletion[1];
    try {
      while (true) {
        channel.getCqEvent().ackEvents(1);
        cq.reqNotify(false);
        while (cq.poll(completion) > 0) {
          if (completion[0].status() == WcStatus.WR_FLUSH_ERR) {
            return;
          }
          RpingState state = stateAfter(completion[0]);
          if (state != RpingState.IDLE) {
            tell(state);
          }
        }
      }
    } catch (VerbsException closed) {
      settings.debug("no more completions: %s", closed.getMessage());
    }
  }

  /** State after a completion; IDLE if no thread waits for it. */
  private RpingState stateAfter(WorkCompletion completion) {
    if (!completion.isSuccess()) {
      settings.err().printf("cq completion failed status %d%n", completion.status().code());
      settings.err().println(completion.explain());
      return RpingState.ERROR;
    }
    settings.debug("%s completion", completion.opcode());
    return switch (completion.opcode()) {
      case RDMA_READ -> RpingState.RDMA_READ_COMPLETE;
      case RDMA_WRITE -> RpingState.RDMA_WRITE_COMPLETE;
      case RECV -> stateAfterMessage(completion.byteLen());
      default -> RpingState.IDLE;
    };
  }

  private RpingState stateAfterMessage(int bytes) {
    if (bytes != RemoteBuffer.BYTES) {
      settings.err().printf("Received bogus data, size %d%n", bytes);
      return RpingState.ERROR;
    }
    boolean isFirst = received++ % 2 == 0;
    if (settings.isServer()) {
      return isFirst ? RpingState.RDMA_READ_ADV : RpingState.RDMA_WRITE_ADV;
    }
    return isFirst ? RpingState.RDMA_WRITE_ADV : RpingState.RDMA_WRITE_COMPLETE;
  }

  /** Ends the thread that polls completions, and destroys the id with its objects. */
  @Override
  public void close() {
    if (completions != null) {
      completions.interrupt();
      try {
        completions.join();
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
      }
    }
    id.close();
    if (settings.ownsQp() && qp != null) {
      qp.close();
    }
    if (buffers != null) {
      buffers.close();
    }
    if (cq != null) {
      cq.close();
      channel.close();
    }
  }
}
