// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a node and what it sends. Two threads live here: one takes events of the
 * connection manager, one completions. The lock of the node guards all of it, and is held over all
 * verbs that do not wait.
 */
final class Transport implements AutoCloseable {
  /** Purpose of a completed send. */
  enum Kind {
    MESSAGE,
    ENTRY,
    LEASE
  }

  /** A send that is not completed. */
  record Send(Kind kind, PeerLink link, int slot, long index, long term) {}

  /** A message that came, and by which connection. */
  record Received(Message message, PeerLink link) {}

  /** Whose connections they are. */
  interface Owner {
    /** Runs something with the lock held. */
    void change(Runnable body);

    /** A send has succeeded; called with the lock held. */
    void completed(Send send);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
  private static final int RECEIVES = 64;
  private static final int MESSAGES = 16;
  private static final int ENTRIES = 64;

  /** On each connection at a time: one that is down must not have all buffers. */
  private static final int MESSAGES_OF_LINK = 4;

  private static final int BATCH = 16;
  private static final QpCap CAP = new QpCap(MESSAGES + ENTRIES + 4, 1, 1, 1, 0);
  private static final int OFFER_BYTES = 20;
  private static final Duration RESOLVE_TIMEOUT = Duration.ofMillis(50);
  private static final long RECONNECT_NANOS = Duration.ofMillis(5).toNanos();

  private final int id;
  private final Platform platform;
  private final BlockingQueue<Received> inbox;
  private final Owner owner;

  private final RdmaEventChannel events;
  private final RdmaCmId listening;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final SharedReceiveQueue srq;
  private final MemoryRegion receives;
  private final SlotPool messages;

  /** Copies of entries: what the log holds may change while a send is on its way. */
  private final SlotPool entries;

  /** Where the leader leaves its lease. */
  private final MemoryRegion lease;

  private final ByteBuffer logMemory;

  /** By the rkey of this region the leader writes to the log; a new one takes that from it. */
  private MemoryRegion logRegion;

  private final Map<Integer, Peer> peers = new TreeMap<>();

  /** All connections that are not closed, in the order in which they began. */
  private final Map<RdmaCmId, PeerLink> links = new LinkedHashMap<>();

  private final Map<Long, Send> pending = new HashMap<>();
  private long nextWrId = RECEIVES;
  private volatile boolean isStopping;

  Transport(
      int id,
      RdmaCm cm,
      List<InetSocketAddress> cluster,
      ByteBuffer logMemory,
      Platform platform,
      Owner owner) {
    this.id = id;
    this.platform = platform;
    this.owner = owner;
    this.logMemory = logMemory;
    inbox = platform.queue("inbox of node " + id);
    Context context = cm.getDevices().get(0);
    pd = context.allocPd();
    channel = context.createCompChannel();
    cq = context.createCq(512, channel);
    srq = pd.createSrq(SrqAttr.of(RECEIVES, 1));
    receives =
        pd.regMr(ByteBuffer.allocateDirect(RECEIVES * Message.BYTES), AccessFlag.LOCAL_WRITE);
    messages = new SlotPool(pd, MESSAGES, Message.BYTES);
    entries = new SlotPool(pd, ENTRIES, LogStore.SLOT_BYTES);
    lease =
        pd.regMr(
            ByteBuffer.allocateDirect(Long.BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_ATOMIC);
    logRegion = registerLog();
    for (int i = 0; i < RECEIVES; i++) {
      postReceive(i);
    }
    for (int i = 0; i < cluster.size(); i++) {
      if (i != id) {
        MemoryRegion scratch =
            pd.regMr(ByteBuffer.allocateDirect(Long.BYTES), AccessFlag.LOCAL_WRITE);
        peers.put(i, new Peer(i, cluster.get(i), scratch));
      }
    }
    cq.reqNotify(false);
    events = cm.createEventChannel();
    listening = events.createId(RdmaPortSpace.TCP);
    listening.bindAddr(cluster.get(id));
    listening.listen(cluster.size());
  }

  private MemoryRegion registerLog() {
    return pd.regMr(logMemory.duplicate(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  private void postReceive(int slot) {
    srq.postRecv(RecvWr.of(slot, receives.sge(slot * Message.BYTES, Message.BYTES)));
  }

  Collection<Peer> peers() {
    return peers.values();
  }

  Peer peer(int number) {
    return peers.get(number);
  }

  /** Messages that came, for a thread that waits for them. */
  BlockingQueue<Received> inbox() {
    return inbox;
  }

  int freeMessages() {
    return messages.available();
  }

  // Connections.

  /** Takes events until the node is stopped: the work of a thread. */
  void takeEvents() {
    while (!isStopping) {
      try (RdmaCmEvent event = events.getCmEvent()) {
        owner.change(() -> handle(event));
      }
    }
  }

  private void handle(RdmaCmEvent event) {
    RdmaCmId cmId = event.id();
    LOG.debug("node {}: {} with status {}", id, event.event(), event.status());
    switch (event.event()) {
      case CONNECT_REQUEST -> accept(cmId);
      case ADDR_RESOLVED -> cmId.resolveRoute(RESOLVE_TIMEOUT);
      case ROUTE_RESOLVED -> {
        cmId.createQp(pd, new QpInitAttr(QpType.RC, cq, cq, srq, CAP, true));
        cmId.connect(RdmaConnParam.of(4, 4).withRetries(3, 7));
      }
      case ESTABLISHED -> established(links.get(cmId), event);
      case DISCONNECTED, REJECTED, UNREACHABLE, CONNECT_ERROR, ADDR_ERROR, ROUTE_ERROR ->
          down(links.get(cmId));
      case DEVICE_REMOVAL -> isStopping = true;
      case TIMEWAIT_EXIT -> LOG.trace("node {}: the queue pair may be used again", id);
      default -> throw new IllegalStateException("node " + id + ": " + event.event());
    }
  }

  private void accept(RdmaCmId cmId) {
    cmId.createQp(pd, new QpInitAttr(QpType.RC, cq, cq, srq, CAP, true));
    links.put(cmId, new PeerLink(cmId, null));
    ByteBuffer offer = ByteBuffer.allocate(OFFER_BYTES);
    offer.putLong(logRegion.addr()).putLong(lease.addr()).putInt(lease.rkey());
    cmId.accept(RdmaConnParam.of(4, 4).withRetries(3, 7).withPrivateData(offer.array()));
  }

  private void established(PeerLink link, RdmaCmEvent event) {
    if (link == null || link.state == PeerLink.State.DOWN) {
      return; // A send has failed before that was announced.
    }
    link.state = PeerLink.State.UP;
    Peer peer = link.peer;
    if (peer != null) {
      ByteBuffer offer = event.conn().privateData();
      peer.logAddr = offer.getLong();
      peer.leaseAddr = offer.getLong();
      peer.leaseRkey = offer.getInt();
      peer.forgetLog();
    }
  }

  /** Ends a connection. What is posted is flushed, and it is closed once that is completed. */
  private void down(PeerLink link) {
    if (link == null || link.state == PeerLink.State.DOWN) {
      return;
    }
    link.state = PeerLink.State.DOWN;
    link.downNanos = platform.nanos();
    try {
      link.cmId.disconnect();
    } catch (VerbsException notConnected) {
      LOG.debug("node {}: {}", id, notConnected.getMessage());
    }
  }

  /** Closes connections that have ended, and connects where there is none. Without the lock. */
  void reconnect() {
    List<PeerLink> ended = new ArrayList<>();
    owner.change(
        () -> {
          links.values().stream().filter(this::mayBeClosed).forEach(ended::add);
          ended.forEach(link -> links.remove(link.cmId));
        });
    ended.forEach(link -> link.cmId.close()); // Waits for the thread that has one of its events.
    owner.change(
        () -> {
          ended.stream().filter(link -> link.peer != null).forEach(link -> link.peer.link = null);
          peers.values().stream().filter(peer -> peer.link == null).forEach(this::connect);
        });
  }

  private boolean mayBeClosed(PeerLink link) {
    return link.state == PeerLink.State.DOWN
        && link.outstanding == 0
        && platform.nanos() - link.downNanos >= RECONNECT_NANOS;
  }

  private void connect(Peer peer) {
    RdmaCmId cmId = events.createId(RdmaPortSpace.TCP);
    peer.link = new PeerLink(cmId, peer);
    links.put(cmId, peer.link);
    cmId.resolveAddr(null, peer.address, RESOLVE_TIMEOUT);
  }

  // Completions.

  /** Takes completions until the node is stopped: the work of a thread. */
  void takeCompletions() {
    WorkCompletion[] completions = new WorkCompletion[BATCH];
    while (!isStopping) {
      channel.getCqEvent().ackEvents(1);
      cq.reqNotify(false); // Before the polls: what comes after them is announced.
      poll(completions);
    }
  }

  private void poll(WorkCompletion[] completions) {
    for (int found = cq.poll(completions); found > 0; found = cq.poll(completions)) {
      for (int i = 0; i < found; i++) {
        WorkCompletion wc = completions[i];
        owner.change(() -> complete(wc));
      }
    }
  }

  private void complete(WorkCompletion wc) {
    if (wc.wrId() < RECEIVES) {
      received(wc);
      return;
    }
    Send send = pending.remove(wc.wrId());
    if (send == null) {
      throw new IllegalStateException("node " + id + " has not posted " + wc);
    }
    send.link().outstanding--;
    release(send);
    if (wc.isSuccess()) {
      owner.completed(send);
    } else {
      LOG.debug("node {}: {} failed: {}", id, send, wc.explain());
      down(send.link());
    }
  }

  private void release(Send send) {
    switch (send.kind()) {
      case MESSAGE -> {
        messages.release(send.slot());
        send.link().outstandingMessages--;
      }
      case ENTRY -> entries.release(send.slot());
      case LEASE -> LOG.trace("node {}: its lease has no buffer of the pools", id);
    }
  }

  private void received(WorkCompletion wc) {
    int slot = (int) wc.wrId();
    if (!wc.isSuccess()) {
      postReceive(slot);
      return;
    }
    if (wc.opcode() != WcOpcode.RECV) {
      throw new IllegalStateException("node " + id + ": " + wc);
    }
    Message message = Message.read(receives.buffer().slice(slot * Message.BYTES, Message.BYTES));
    postReceive(slot);
    PeerLink link = linkOf(wc.qpNum());
    if (link == null) {
      return; // It was closed meanwhile.
    }
    link.received++;
    if (message.number() != link.received) {
      throw new IllegalStateException(
          "node " + id + ": not message " + link.received + " of its connection: " + message);
    }
    inbox.add(new Received(message, link));
  }

  private PeerLink linkOf(int qpNum) {
    for (PeerLink link : links.values()) {
      if (link.cmId.qp() != null && link.cmId.qp().qpNum() == qpNum) {
        return link;
      }
    }
    return null;
  }

  // Sends.

  /** Sends a message, if the connection is up and not busy; otherwise it is lost. */
  void send(PeerLink link, Message message) {
    boolean isUp = link != null && link.state == PeerLink.State.UP;
    if (!isUp || link.outstandingMessages == MESSAGES_OF_LINK || messages.isEmpty()) {
      LOG.debug("node {} cannot send {}", id, message);
      return;
    }
    int slot = messages.take();
    link.outstandingMessages++;
    link.sent++;
    message.numbered(link.sent).write(messages.buffer(slot));
    Send send = new Send(Kind.MESSAGE, link, slot, 0, message.term());
    post(send, SendWr.send(nextWrId, messages.sge(slot)));
  }

  /** Writes an entry into the log of a peer; false if there is no buffer at the moment. */
  boolean writeEntry(Peer peer, long term, long index, ByteBuffer entry) {
    if (entries.isEmpty()) {
      return false;
    }
    int slot = entries.take();
    entries.buffer(slot).put(entry);
    long target = peer.logAddr + LogStore.offset(index);
    return post(
        new Send(Kind.ENTRY, peer.link, slot, index, term),
        SendWr.rdmaWrite(nextWrId, target, peer.logRkey, entries.sge(slot)));
  }

  /** Puts a lease in the place of the one that was seen there last. */
  void swapLease(Peer peer, long term, long newLease) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(peer.leaseAddr, peer.leaseRkey);
    post(
        new Send(Kind.LEASE, peer.link, 0, 0, term),
        SendWr.compareAndSwap(nextWrId, target, peer.leaseSeen, newLease, peer.scratch.sge()));
  }

  private boolean post(Send send, SendWr request) {
    try {
      send.link().cmId.qp().postSend(request);
    } catch (VerbsException refused) {
      release(send);
      if (refused.errno() == Errno.ENODEV) {
        throw refused;
      }
      LOG.debug("node {}: {}", id, refused.getMessage());
      down(send.link());
      return false;
    }
    pending.put(nextWrId, send);
    nextWrId++;
    send.link().outstanding++;
    return true;
  }

  /** Registers the log again, which ends writes by the former key. */
  int replaceLogKey() {
    MemoryRegion former = logRegion;
    logRegion =
        pd.regMrIova(
            logMemory.duplicate(),
            former.addr(),
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    former.close();
    return logRegion.rkey();
  }

  int logKey() {
    return logRegion.rkey();
  }

  // The end.

  boolean isStopping() {
    return isStopping;
  }

  void stop() {
    isStopping = true;
  }

  /** Closes all; its threads have ended. */
  @Override
  public void close() {
    links.keySet().forEach(RdmaCmId::close);
    pending.values().forEach(this::release); // A queue pair that is gone completes nothing.
    listening.close();
    events.close();
    srq.close();
    cq.close();
    channel.close();
    peers.values().forEach(peer -> peer.scratch.close());
    List.of(receives, lease, logRegion).forEach(MemoryRegion::close);
    entries.close();
    messages.close();
    pd.close();
  }
}
