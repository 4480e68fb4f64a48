// SPDX-License-Identifier: Apache-2.0
package kv;

import static kv.KvProtocol.CREDITS;
import static kv.KvProtocol.FULL;
import static kv.KvProtocol.LOOKED_UP;
import static kv.KvProtocol.LOOKUP;
import static kv.KvProtocol.MSG;
import static kv.KvProtocol.PUT_DONE;
import static kv.KvProtocol.SLOT;
import static kv.KvProtocol.connect;
import static kv.KvProtocol.init;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A key-value store: an RC connection for each client, one shared receive queue. */
public final class KvServer implements AutoCloseable {
  private static final long SEND = 1L << 32;
  private static final int BATCH = 16;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final SharedReceiveQueue srq;
  private final MemoryRegion table;
  private final MemoryRegion receives;
  private final MemoryRegion sends;
  private final Deque<Integer> freeSends = new ArrayDeque<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final int slotCount;
  private final Map<Integer, Client> clients = new ConcurrentHashMap<>();
  private final Consumer<String> log;
  private volatile boolean closing;

  private record Client(QueuePair qp, KvEndpoint peer) {}

  public KvServer(Context context, int slotCount, int maxClients, Consumer<String> log) {
    this.context = context;
    this.log = log;
    this.slotCount = slotCount;
    int depth = maxClients * CREDITS;
    pd = context.allocPd();
    channel = context.createCompChannel();
    cq = context.createCq(2 * depth + 16, channel);
    srq = pd.createSrq(SrqAttr.of(depth, 1));
    table =
        pd.regMr(
            ByteBuffer.allocateDirect(slotCount * SLOT),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_ATOMIC);
    receives = pd.regMr(ByteBuffer.allocateDirect(depth * MSG), AccessFlag.LOCAL_WRITE);
    sends = pd.regMr(ByteBuffer.allocateDirect(depth * MSG));
    for (int i = 0; i < depth; i++) {
      freeSends.add(i);
      srq.postRecv(RecvWr.of(i, receives.sge(i * MSG, MSG)));
    }
    cq.reqNotify(false);
  }

  /** Makes the server's end of a connection; also for other threads than the serving one. */
  public KvEndpoint accept(KvEndpoint peer) {
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, new QpCap(CREDITS * 2, 0, 1, 0, 0)).withSrq(srq));
    try {
      init(qp, Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
      int psn = qp.qpNum() * 7 & 0xffffff;
      connect(qp, psn, peer);
      clients.put(qp.qpNum(), new Client(qp, peer));
      return new KvEndpoint(context.queryGid(1, 0), qp.qpNum(), psn, table.addr(), table.rkey());
    } catch (VerbsException e) {
      qp.close();
      throw e;
    }
  }

  public int clients() {
    return clients.size();
  }

  /** Serves until closed; the loop of the server thread. */
  public void run() {
    while (!closing) {
      try {
        runOnce(Duration.ofMillis(200));
      } catch (VerbsException e) {
        if (closing || e.errno() == Errno.EINTR || e.errno() == Errno.ENODEV) {
          return;
        }
        throw e;
      }
    }
  }

  /** Waits for an event at most so long, then handles what came. */
  public boolean runOnce(Duration timeout) {
    Optional<CompletionQueue> event = channel.getCqEvent(timeout);
    if (event.isEmpty()) {
      return false;
    }
    cq.ackEvents(1);
    cq.reqNotify(false);
    List<WorkCompletion> batch = cq.poll(BATCH);
    while (!batch.isEmpty()) {
      batch.forEach(this::handle);
      batch = cq.poll(BATCH);
    }
    return true;
  }

  /** Events of the device since the last call; call it now and then, or in a thread. */
  public List<EventType> events() {
    List<EventType> types = new ArrayList<>();
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      types.add(event.get().eventType());
      context.ackAsyncEvent(event.get());
      event = context.getAsyncEvent(Duration.ZERO);
    }
    return types;
  }

  private void handle(WorkCompletion wc) {
    boolean isSend = (wc.wrId() & SEND) != 0;
    int index = (int) wc.wrId();
    Client client = clients.get(wc.qpNum());
    if (!wc.isSuccess()) {
      if (wc.status() != WcStatus.WR_FLUSH_ERR) {
        log.accept("client " + wc.qpNum() + ": " + wc.explain());
      }
      drop(wc.qpNum());
    } else if (!isSend && client != null) {
      serve(client, wc, index);
    }
    if (isSend) {
      freeSends.add(index);
    } else {
      srq.postRecv(RecvWr.of(index, receives.sge(index * MSG, MSG)));
    }
  }

  private void serve(Client client, WorkCompletion wc, int index) {
    if (wc.opcode() == WcOpcode.RECV_RDMA_WITH_IMM) {
      int slot = wc.immData();
      int at = slot * SLOT + 8;
      table.buffer().putInt(at, table.buffer().getInt(at) + 1);
      reply(client, PUT_DONE, slot, 0);
      return;
    }
    ByteBuffer in =
        receives.buffer().duplicate().position(index * MSG).limit(index * MSG + wc.byteLen());
    byte op = in.get();
    int id = in.getInt();
    if (op != LOOKUP) {
      log.accept("client " + wc.qpNum() + " sent operation " + op);
      drop(wc.qpNum());
      return;
    }
    byte[] key = new byte[in.getShort()];
    in.get(key);
    String name = new String(key, StandardCharsets.UTF_8);
    Integer slot = slots.get(name);
    if (slot == null && slots.size() < slotCount) {
      slot = slots.size();
      slots.put(name, slot);
    }
    reply(client, slot == null ? FULL : LOOKED_UP, id, slot == null ? -1 : slot);
  }

  private void reply(Client client, byte op, int id, int slot) {
    Integer index = freeSends.poll();
    if (index == null) {
      throw new IllegalStateException("a client exceeded its credits");
    }
    ByteBuffer out = sends.buffer().duplicate().position(index * MSG);
    out.put(op).putInt(id).putInt(slot).putShort((short) 1);
    try {
      client.qp.postSend(SendWr.send(SEND | index, sends.sge(index * MSG, 11)));
    } catch (VerbsException e) {
      freeSends.add(index);
      log.accept("reply: " + e.getMessage());
      drop(client.qp.qpNum());
    }
  }

  private void drop(int qpn) {
    Client client = clients.remove(qpn);
    if (client != null) {
      events(); // a queue pair with an unacknowledged event cannot be destroyed
      client.qp.close();
    }
  }

  @Override
  public void close() {
    closing = true;
    events();
    clients.keySet().forEach(this::drop);
    srq.close();
    cq.close();
    channel.close();
    table.close();
    receives.close();
    sends.close();
    pd.close();
  }
}
