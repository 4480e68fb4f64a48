// SPDX-License-Identifier: Apache-2.0
package kv;

import static kv.KvProtocol.CREDITS;
import static kv.KvProtocol.FULL;
import static kv.KvProtocol.HEADER;
import static kv.KvProtocol.LOOKUP;
import static kv.KvProtocol.MSG;
import static kv.KvProtocol.PUT_DONE;
import static kv.KvProtocol.SLOT;
import static kv.KvProtocol.init;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A client of one thread. Puts are pipelined as far as the credits go. */
public final class KvClient implements AutoCloseable {
  private static final int BATCH = 8;
  private static final int DATA = 2 * CREDITS; // index of the first buffer for values
  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion memory;
  private final Runnable pump;
  private final Duration timeout;
  private final int psn;
  private KvEndpoint peer;
  private int credits = CREDITS;
  private int nextId;
  private final Map<String, Integer> slots = new HashMap<>();
  private final Map<Integer, ByteBuffer> replies = new HashMap<>();
  private final Map<Integer, Integer> putsDone = new HashMap<>();
  private final Deque<Integer> freeData = new ArrayDeque<>();
  private final Set<Long> done = new HashSet<>();

  /**
   * Creates a client.
   *
   * @param pump what to do while waiting, instead of sleeping, or null: lets a test move the server
   * @param timeout how long to wait for an answer
   */
  public KvClient(Context context, Runnable pump, Duration timeout) {
    this.context = context;
    this.pump = pump;
    this.timeout = timeout;
    pd = context.allocPd();
    channel = context.createCompChannel();
    cq = context.createCq(64, channel);
    qp = pd.createQp(QpInitAttr.rc(cq, new QpCap(16, CREDITS * 2, 1, 1, 64)));
    memory =
        pd.regMr(ByteBuffer.allocateDirect((DATA + CREDITS + 1) * MSG), AccessFlag.LOCAL_WRITE);
    psn = qp.qpNum() * 31 & 0xffffff;
    init(qp, Set.of());
    for (int i = 0; i < CREDITS * 2; i++) {
      qp.postRecv(RecvWr.of(i, memory.sge(i * MSG, MSG)));
    }
    for (int i = 0; i < CREDITS; i++) {
      freeData.add(DATA + i);
    }
    cq.reqNotify(false);
  }

  public KvEndpoint endpoint() {
    return new KvEndpoint(context.queryGid(1, 0), qp.qpNum(), psn, 0, 0);
  }

  public void connect(KvEndpoint server) {
    peer = server;
    KvProtocol.connect(qp, psn, server);
  }

  public Optional<byte[]> get(String key) {
    int slot = slot(key);
    int at = (DATA + CREDITS) * MSG;
    long id = 1000 + nextId++;
    qp.postSend(SendWr.rdmaRead(id, remote(slot), peer.rkey(), memory.sge(at, SLOT)));
    waitFor(id);
    ByteBuffer slotBytes = memory.buffer().duplicate().position(at);
    slotBytes.getLong();
    int version = slotBytes.getInt();
    byte[] value = new byte[slotBytes.getInt()];
    slotBytes.get(value);
    return version == 0 ? Optional.empty() : Optional.of(value);
  }

  public void put(String key, byte[] value) {
    putAll(Map.of(key, value));
  }

  public void putAll(Map<String, byte[]> values) {
    Map<Integer, Integer> expected = new HashMap<>();
    for (Map.Entry<String, byte[]> e : values.entrySet()) {
      int slot = slot(e.getKey());
      if (e.getValue().length > SLOT - HEADER) {
        throw new KvException("value too long");
      }
      takeCredit();
      while (freeData.isEmpty()) {
        progress();
      }
      int index = freeData.poll();
      ByteBuffer out = memory.buffer().duplicate().position(index * MSG);
      out.putInt(e.getValue().length).put(e.getValue());
      expected.merge(slot, 1, Integer::sum);
      qp.postSend(
          SendWr.rdmaWriteWithImm(
              index,
              remote(slot) + 12,
              peer.rkey(),
              slot,
              memory.sge(index * MSG, 4 + e.getValue().length)));
    }
    expected.forEach(
        (slot, n) -> {
          while (putsDone.getOrDefault(slot, 0) < n) {
            progress();
          }
          putsDone.remove(slot);
        });
  }

  /** Compares and swaps the counter of a key; returns what was there. */
  public long compareAndSwap(String key, long expected, long update) {
    int slot = slot(key);
    int at = (DATA + CREDITS) * MSG;
    long id = 1000 + nextId++;
    qp.postSend(
        SendWr.compareAndSwap(
            id,
            new SendWr.RemoteTarget(remote(slot), peer.rkey()),
            expected,
            update,
            memory.sge(at, 8)));
    waitFor(id);
    return memory.buffer().order(ByteOrder.nativeOrder()).getLong(at);
  }

  /** For tests of errors: any region of the server. */
  void readAnywhere(long addr, int rkey) {
    long id = 1000 + nextId++;
    qp.postSend(SendWr.rdmaRead(id, addr, rkey, memory.sge((DATA + CREDITS) * MSG, 64)));
    waitFor(id);
  }

  private long remote(int slot) {
    return peer.addr() + (long) slot * SLOT;
  }

  private int slot(String key) {
    Integer known = slots.get(key);
    if (known != null) {
      return known;
    }
    takeCredit();
    int id = nextId++;
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    while (freeData.isEmpty()) {
      progress();
    }
    int index = freeData.poll();
    memory
        .buffer()
        .duplicate()
        .position(index * MSG)
        .put(LOOKUP)
        .putInt(id)
        .putShort((short) name.length)
        .put(name);
    qp.postSend(SendWr.send(index, memory.sge(index * MSG, 7 + name.length)));
    while (!replies.containsKey(id)) {
      progress();
    }
    ByteBuffer reply = replies.remove(id);
    if (reply.get(0) == FULL) {
      throw new KvException("the server has no more slots");
    }
    int slot = reply.getInt(5);
    slots.put(key, slot);
    return slot;
  }

  private void takeCredit() {
    while (credits == 0) {
      progress();
    }
    credits--;
  }

  private void waitFor(long id) {
    while (!done.remove(id)) {
      progress();
    }
  }

  /** Handles completions, or waits for one. */
  private void progress() {
    List<WorkCompletion> batch = cq.poll(BATCH);
    if (batch.isEmpty() && pump != null) {
      pump.run();
      return;
    }
    if (batch.isEmpty()) {
      if (channel.getCqEvent(timeout).isEmpty()) {
        throw new KvException("no answer within " + timeout);
      }
      cq.ackEvents(1);
      cq.reqNotify(false);
      batch = cq.poll(BATCH);
    }
    batch.forEach(this::handle);
  }

  private void handle(WorkCompletion wc) {
    if (!wc.isSuccess()) {
      throw new KvException(wc.status() + ": " + wc.explain());
    }
    int index = (int) wc.wrId();
    switch (wc.opcode()) {
      case RECV -> {
        byte[] copy = new byte[wc.byteLen()];
        memory.buffer().get(index * MSG, copy);
        ByteBuffer reply = ByteBuffer.wrap(copy);
        credits += reply.getShort(9);
        if (reply.get(0) == PUT_DONE) {
          putsDone.merge(reply.getInt(1), 1, Integer::sum);
        } else {
          replies.put(reply.getInt(1), reply);
        }
        qp.postRecv(RecvWr.of(index, memory.sge(index * MSG, MSG)));
      }
      case SEND, RDMA_WRITE -> freeData.add(index);
      default -> done.add(wc.wrId());
    }
  }

  @Override
  public void close() {
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      context.ackAsyncEvent(event.get());
      event = context.getAsyncEvent(Duration.ZERO);
    }
    qp.close();
    cq.close();
    channel.close();
    memory.close();
    pd.close();
  }
}
