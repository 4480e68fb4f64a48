// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Sends of queue pairs that share a completion queue: two that a device has to itself, and one to a
 * peer. Most are unsignaled; in the end each queue pair posts an empty WRITE that is signaled,
 * whose completion stands for all before it. Books are kept of each request.
 */
final class CompletionRound implements AutoCloseable {
  private static final int SLOTS = 64;
  private static final int BYTES = 64;
  private static final int BATCHES = 12;
  private static final int MOST_OF_A_BATCH = 4;
  private static final int SIGNALED_ONE_IN = 6;
  private static final int MOST_POLLS = 3;

  /** How far a request has come that was not polled. */
  private enum Step {
    POSTED,
    ACKNOWLEDGED,
    ADDED_TO_CQ
  }

  /** A request that was posted; an unsignaled one gives no completion. */
  private record PostedRequest(long wrId, QueuePair qp, boolean isSignaled) {}

  private final Random random;
  private final CompletionQueue sendCq;
  private final Side own;
  private final Side peer;
  private final List<QueuePair> senders = new ArrayList<>();
  private final Map<QueuePair, MemoryRegion> targets = new LinkedHashMap<>();

  /** Those that are not known to be done, oldest first. */
  private final Map<Long, PostedRequest> requests = new LinkedHashMap<>();

  private long nextWrId;
  private int signaledLeft;

  CompletionRound(Random random, Context ownContext, Context peerContext) {
    this.random = random;
    own = new Side(ownContext);
    peer = new Side(peerContext);
    sendCq = ownContext.createCq(4 * SLOTS);
    connect(own, own);
    connect(own, peer);
  }

  /** What queue pairs of a device need. */
  private static final class Side {
    private final ProtectionDomain pd;
    private final CompletionQueue receiveCq;
    private final MemoryRegion memory;
    private final List<QueuePair> queuePairs = new ArrayList<>();

    Side(Context context) {
      pd = context.allocPd();
      receiveCq = context.createCq(4 * SLOTS);
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      memory = pd.regMr(buffer, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    /** A queue pair with a receive for each send that its peer can post. */
    QueuePair queuePair(CompletionQueue sendCq) {
      QpCap cap = new QpCap(SLOTS, SLOTS, 1, 1, 0);
      QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, sendCq, receiveCq, null, cap, false));
      queuePairs.add(qp);
      return qp;
    }

    void close() {
      queuePairs.forEach(QueuePair::close);
      memory.close();
      receiveCq.close();
      pd.close();
    }
  }

  private void connect(Side from, Side to) {
    QueuePair sender = from.queuePair(sendCq);
    QueuePair receiver = to.queuePair(to.equals(own) ? sendCq : to.receiveCq);
    Emulator.connect(sender, receiver);
    add(sender, receiver, to);
    if (to.equals(own)) {
      add(receiver, sender, from);
    }
  }

  private void add(QueuePair sender, QueuePair receiver, Side at) {
    senders.add(sender);
    targets.put(sender, at.memory);
    for (int i = 0; i < SLOTS; i++) {
      receiver.postRecv(RecvWr.of(i, at.memory.sge()));
    }
  }

  /** Posts everything, polling now and then, and asks each queue pair for an end. */
  void post() {
    for (int i = 0; i < BATCHES; i++) {
      postBatch(senders.get(random.nextInt(senders.size())));
      for (int polls = random.nextInt(MOST_POLLS); polls > 0; polls--) {
        poll();
      }
    }
    senders.forEach(qp -> qp.postSend(noted(qp, write(qp, 0), true)));
  }

  private void postBatch(QueuePair qp) {
    List<SendWr> batch = new ArrayList<>();
    for (int left = 1 + random.nextInt(MOST_OF_A_BATCH); left > 0; left--) {
      SendWr wr =
          random.nextBoolean()
              ? SendWr.send(nextWrId, own.memory.sge())
              : write(qp, random.nextInt(BYTES));
      batch.add(noted(qp, wr, random.nextInt(SIGNALED_ONE_IN) == 0));
    }
    qp.postSend(batch);
  }

  private SendWr write(QueuePair qp, int bytes) {
    MemoryRegion target = targets.get(qp);
    return SendWr.rdmaWrite(nextWrId, target.addr(), target.rkey(), own.memory.sge(0, bytes));
  }

  private SendWr noted(QueuePair qp, SendWr wr, boolean isSignaled) {
    requests.put(nextWrId, new PostedRequest(nextWrId, qp, isSignaled));
    nextWrId++;
    signaledLeft += isSignaled ? 1 : 0;
    return isSignaled ? wr : wr.unsignaled();
  }

  /** Takes what the completion queue holds; returns how much that was. */
  int poll() {
    List<WorkCompletion> completions = sendCq.poll(8);
    for (WorkCompletion completion : completions) {
      PostedRequest done = requests.remove(completion.wrId());
      if (done == null || !done.isSignaled || !completion.isSuccess()) {
        throw new AssertionError("unexpected: " + completion + " " + completion.explain());
      }
      signaledLeft--;
      requests.values().removeIf(each -> isBefore(each, done));
    }
    return completions.size();
  }

  /** Whether the completion of another says that a request, which gives none, is done, too. */
  private static boolean isBefore(PostedRequest request, PostedRequest done) {
    return !request.isSignaled && request.qp.equals(done.qp) && request.wrId < done.wrId;
  }

  /** Whether every completion was polled. */
  boolean isDone() {
    return signaledLeft == 0;
  }

  /** How far each request has come that is not known to be done. */
  String report() {
    StringBuilder text = new StringBuilder();
    List<WorkCompletion> held = DeviceInspector.of(sendCq).completions();
    for (PostedRequest request : requests.values()) {
      boolean isHeld = held.stream().anyMatch(wc -> wc.wrId() == request.wrId);
      boolean isInQueue =
          DeviceInspector.of(request.qp).sendQueue().stream()
              .anyMatch(send -> send.wrId() == request.wrId);
      Step step = isHeld ? Step.ADDED_TO_CQ : isInQueue ? Step.POSTED : Step.ACKNOWLEDGED;
      String kind = request.isSignaled ? " signaled " : " unsignaled ";
      text.append(request.wrId).append(kind).append(request.qp).append(": ").append(step);
      text.append('\n');
    }
    return text.toString();
  }

  /** How many requests were posted. */
  long posted() {
    return nextWrId;
  }

  @Override
  public void close() {
    own.close();
    peer.close();
    sendCq.close();
  }
}
