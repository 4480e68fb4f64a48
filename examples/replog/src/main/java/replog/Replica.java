// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of the log. A leader is elected by messages. It writes entries into the logs of its
 * peers by RDMA WRITE, and an entry is committed once a majority has it. Who votes takes its log
 * from the former leader by a new rkey, and gives that to the new one. At each peer a leader has a
 * lease of its term, by COMPARE_SWAP, before it writes there.
 *
 * <p>Four threads: two of the transport, one for messages, one for what is a matter of time. One
 * lock guards all that they share.
 */
public final class Replica implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
  private static final Duration TICK = Duration.ofMillis(1);
  private static final long HEARTBEAT_NANOS = Duration.ofMillis(4).toNanos();

  /** Without a majority of peers for so long a leader is none. */
  private static final long RESIGN_NANOS = Duration.ofMillis(60).toNanos();

  private static final int NONE = -1;

  private enum Role {
    FOLLOWER,
    CANDIDATE,
    LEADER
  }

  private final int id;
  private final int majority;
  private final Platform platform;
  private final Lock lock;
  private final Transport transport;
  private final LogStore log;
  private final long electionNanos;
  private final List<Platform.Task> tasks = new ArrayList<>();

  /** Guarded by the lock, as all below. */
  private Role role = Role.FOLLOWER;

  private long term;
  private int votes;
  private long heardNanos;
  private long beatNanos;
  private long committed = -1;

  /** Of a leader: the index of its last entry, as no other node writes to its log. */
  private long last = -1;

  /** Number of the node that has the rkey of the log, in this term. */
  private int writer = NONE;

  /** Futures of clients, by index of their entry; completed without the lock. */
  private final TreeMap<Long, CompletableFuture<Long>> proposed = new TreeMap<>();

  private final List<Runnable> decided = new ArrayList<>();
  private final Set<Long> ledTerms = new TreeSet<>();

  /**
   * A node that does nothing yet.
   *
   * @param id its place in the cluster
   * @param cluster where the nodes listen, the same for each
   */
  public Replica(int id, RdmaCm cm, List<InetSocketAddress> cluster, Platform platform) {
    this.id = id;
    this.platform = platform;
    majority = cluster.size() / 2 + 1;
    electionNanos = Duration.ofMillis(15 + 7L * id).toNanos();
    lock = platform.lock("node " + id);
    ByteBuffer memory = ByteBuffer.allocateDirect(LogStore.SLOT_BYTES * LogStore.SLOTS);
    log = new LogStore(memory);
    transport = new Transport(id, cm, cluster, memory, platform, new TransportOwner());
    heardNanos = platform.nanos();
  }

  public void start() {
    start("events", transport::takeEvents);
    start("completions", transport::takeCompletions);
    start("messages", this::takeMessages);
    start("ticks", this::tick);
  }

  /** Starts a thread, which ends when the node is stopped, or without a word with its device. */
  private void start(String name, Runnable body) {
    Runnable untilTheEnd =
        () -> {
          try {
            body.run();
          } catch (VerbsException end) {
            boolean isStopped = transport.isStopping() && end.errno() == Errno.EINTR;
            if (end.errno() != Errno.ENODEV && !isStopped) {
              throw end;
            }
          }
        };
    tasks.add(platform.start(name + " of node " + id, untilTheEnd));
  }

  /** Does something with the lock, and then without it what follows for clients. */
  private <T> T locked(Supplier<T> body) {
    List<Runnable> outcomes;
    T result;
    lock.lock();
    try {
      result = body.get();
      outcomes = List.copyOf(decided);
      decided.clear();
    } finally {
      lock.unlock();
    }
    outcomes.forEach(Runnable::run);
    return result;
  }

  /** Calls of the transport. */
  private final class TransportOwner implements Transport.Owner {
    @Override
    public void change(Runnable body) {
      Replica.this.change(body);
    }

    @Override
    public void completed(Transport.Send send) {
      Replica.this.completed(send);
    }
  }

  private void change(Runnable body) {
    locked(
        () -> {
          body.run();
          return null;
        });
  }

  // Clients.

  /**
   * Appends, if this node leads.
   *
   * @return the index, once the entry is committed; fails if this node does not lead, or no more
   */
  public CompletableFuture<Long> propose(byte[] data) {
    if (data.length > LogStore.MAX_DATA_BYTES) {
      throw new IllegalArgumentException(data.length + " bytes are too many for an entry");
    }
    CompletableFuture<Long> outcome = new CompletableFuture<>();
    change(
        () -> {
          if (role != Role.LEADER) {
            decided.add(() -> outcome.completeExceptionally(notLeading()));
          } else if (last + 1 == LogStore.SLOTS) {
            decided.add(
                () -> outcome.completeExceptionally(new IllegalStateException("the log is full")));
          } else {
            append(data);
            proposed.put(last, outcome);
            replicate();
          }
        });
    return outcome;
  }

  private IllegalStateException notLeading() {
    return new IllegalStateException("node " + id + " does not lead");
  }

  private void append(byte[] data) {
    last++;
    log.put(new LogStore.Entry(term, last, data));
  }

  public int id() {
    return id;
  }

  public boolean isLeader() {
    return locked(() -> role == Role.LEADER && !transport.isStopping());
  }

  /** The terms in which this node has led. */
  public Set<Long> ledTerms() {
    return locked(() -> Set.copyOf(ledTerms));
  }

  /** The entries that are committed, as term and text. */
  public List<String> committed() {
    return locked(
        () ->
            log.prefix(committed).stream()
                .map(
                    entry ->
                        entry == null
                            ? "(missing)"
                            : entry.term() + ":" + new String(entry.data(), StandardCharsets.UTF_8))
                .toList());
  }

  // Elections.

  private void takeMessages() {
    while (!transport.isStopping()) {
      try {
        Transport.Received received = transport.inbox().take();
        change(() -> handle(received.message(), received.link()));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void handle(Message message, PeerLink link) {
    if (message.term() > term) {
      stepDown(message.term());
    }
    switch (message.type()) {
      case VOTE_REQUEST -> vote(message, link);
      case VOTE -> voted(message);
      case HEARTBEAT -> heard(message, link);
      case HEARTBEAT_ANSWER -> answered(message);
    }
  }

  private void stepDown(long newTerm) {
    if (role != Role.FOLLOWER) {
      LOG.info("node {} is a follower in term {}", id, newTerm);
    }
    follow();
    term = newTerm;
    writer = NONE;
  }

  private void follow() {
    role = Role.FOLLOWER;
    transport.peers().forEach(Peer::forgetLog);
    proposed
        .values()
        .forEach(outcome -> decided.add(() -> outcome.completeExceptionally(notLeading())));
    proposed.clear();
  }

  private void campaign() {
    stepDown(term + 1);
    role = Role.CANDIDATE;
    writer = id;
    votes = 1;
    heardNanos = platform.nanos();
    LOG.info("node {} is a candidate in term {}", id, term);
    Message request = message(Message.Type.VOTE_REQUEST, log.last(), 0, false);
    transport.peers().forEach(peer -> transport.send(peer.link, request));
  }

  private Message message(Message.Type type, long index, int rkey, boolean isGranted) {
    return new Message(type, id, term, index, log.termAt(index), rkey, isGranted, 0);
  }

  private void vote(Message request, PeerLink link) {
    if (request.term() < term || writer != NONE) {
      return; // An older candidate, or this term's vote is given.
    }
    long mine = log.last();
    long mineTerm = log.termAt(mine);
    boolean hasAll =
        request.indexTerm() > mineTerm
            || (request.indexTerm() == mineTerm && request.index() >= mine);
    if (hasAll) {
      heardNanos = platform.nanos();
      writer = request.from();
      transport.send(link, message(Message.Type.VOTE, mine, transport.replaceLogKey(), true));
    }
  }

  private void voted(Message vote) {
    if (vote.term() < term || role == Role.FOLLOWER) {
      return;
    }
    transport.peer(vote.from()).logRkey = vote.rkey();
    votes++;
    if (role == Role.CANDIDATE && votes >= majority) {
      lead();
    }
    replicate();
  }

  private void lead() {
    role = Role.LEADER;
    ledTerms.add(term);
    transport.replaceLogKey();
    last = log.last();
    append(new byte[0]);
    transport.peers().forEach(peer -> peer.heardNanos = platform.nanos());
    LOG.info("node {} leads in term {}", id, term);
    beat();
  }

  // Heartbeats.

  private void beat() {
    beatNanos = platform.nanos();
    for (Peer peer : transport.peers()) {
      transport.send(peer.link, message(Message.Type.HEARTBEAT, committed, 0, peer.logRkey != 0));
    }
  }

  private void heard(Message beat, PeerLink link) {
    if (beat.term() < term) {
      transport.send(link, message(Message.Type.HEARTBEAT_ANSWER, -1, 0, false));
      return;
    }
    if (role != Role.FOLLOWER) {
      follow(); // Another one was elected.
    }
    heardNanos = platform.nanos();
    long mine = log.last();
    if (log.termAt(mine) == term) { // The leader has written here: what comes before is its, too.
      committed = Math.max(committed, Math.min(beat.index(), mine));
    }
    if (!beat.isGranted()) {
      int rkey = writer == beat.from() ? transport.logKey() : transport.replaceLogKey();
      writer = beat.from();
      transport.send(link, message(Message.Type.HEARTBEAT_ANSWER, mine, rkey, true));
    }
  }

  private void answered(Message answer) {
    if (answer.term() == term && role == Role.LEADER && answer.isGranted()) {
      transport.peer(answer.from()).logRkey = answer.rkey();
      replicate();
    }
  }

  private void tick() {
    while (!transport.isStopping()) {
      platform.sleep(TICK);
      transport.reconnect();
      change(
          () -> {
            long nowNanos = platform.nanos();
            if (role != Role.LEADER && nowNanos - heardNanos >= electionNanos) {
              campaign();
            }
            if (role == Role.LEADER && nowNanos - beatNanos >= HEARTBEAT_NANOS) {
              beat();
              replicate();
            }
            if (role == Role.LEADER && !hasMajority(nowNanos)) {
              LOG.info("node {} leads no more in term {}: it reaches no majority", id, term);
              follow();
              heardNanos = nowNanos;
            }
          });
    }
  }

  private boolean hasMajority(long nowNanos) {
    long reached =
        transport.peers().stream()
            .filter(peer -> nowNanos - peer.heardNanos < RESIGN_NANOS)
            .count();
    return reached + 1 >= majority;
  }

  // Replication.

  private void completed(Transport.Send send) {
    Peer peer = send.link().peer;
    boolean isOfNow = send.term() == term && role == Role.LEADER;
    if (!isOfNow || peer == null || peer.link != send.link()) {
      return;
    }
    peer.heardNanos = platform.nanos();
    switch (send.kind()) {
      case ENTRY -> written(peer, send.index());
      case LEASE -> leased(peer);
      case MESSAGE -> LOG.trace("node {}: a message has arrived", id);
    }
    replicate();
  }

  private void written(Peer peer, long index) {
    peer.writtenIndex = index;
    List<Long> reached = new ArrayList<>(List.of(last));
    transport.peers().forEach(each -> reached.add(each.writtenIndex));
    reached.sort(null);
    long ofMajority = reached.get(reached.size() - majority);
    if (ofMajority > committed && log.termAt(ofMajority) == term) {
      committed = ofMajority;
      Iterator<Map.Entry<Long, CompletableFuture<Long>>> done =
          proposed.headMap(committed, true).entrySet().iterator();
      while (done.hasNext()) {
        Map.Entry<Long, CompletableFuture<Long>> outcome = done.next();
        long committedIndex = outcome.getKey();
        CompletableFuture<Long> future = outcome.getValue();
        decided.add(() -> future.complete(committedIndex));
        done.remove();
      }
    }
  }

  private void leased(Peer peer) {
    long found = peer.scratch.buffer().order(ByteOrder.nativeOrder()).getLong(0);
    peer.isLeasing = false;
    if (found == peer.leaseSeen) {
      peer.isLeased = true;
      peer.leaseSeen = lease();
    } else if (termOf(found) > term) {
      stepDown(termOf(found));
    } else {
      peer.leaseSeen = found;
    }
  }

  private long lease() {
    return term << Byte.SIZE | id;
  }

  private static long termOf(long lease) {
    return lease >>> Byte.SIZE;
  }

  /** Writes to the peers what they lack. */
  private void replicate() {
    for (Peer peer : transport.peers()) {
      if (role == Role.LEADER && peer.isUp() && peer.logRkey != 0) {
        replicate(peer);
      }
    }
  }

  private void replicate(Peer peer) {
    if (!peer.isLeased) {
      if (!peer.isLeasing) {
        peer.isLeasing = true;
        transport.swapLease(peer, term, lease());
      }
      return;
    }
    while (peer.nextIndex <= last
        && transport.writeEntry(peer, term, peer.nextIndex, log.slot(peer.nextIndex))) {
      peer.nextIndex++;
    }
  }

  // The end.

  @Override
  public String toString() {
    return locked(
        () ->
            "node "
                + id
                + " is "
                + role
                + " in term "
                + term
                + ", committed "
                + committed
                + " of "
                + log.last()
                + ", "
                + transport.freeMessages()
                + " free buffers");
  }

  @Override
  public void close() {
    transport.stop();
    tasks.forEach(Platform.Task::interrupt);
    tasks.forEach(Platform.Task::join);
    transport.close();
  }
}
