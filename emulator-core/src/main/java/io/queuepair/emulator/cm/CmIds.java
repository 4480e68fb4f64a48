// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.verbs.Gid;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All ids of a host, found by the names that messages carry and by their deadlines. */
final class CmIds {
  /** Maximum number of answers remembered in case they were lost; then the oldest is forgotten. */
  static final int MAX_ANSWERED = 4096;

  /**
   * Maximum number of ids that last as long as peers have said, up to hours; then the oldest is
   * ended.
   */
  static final int MAX_TIMED_BY_PEER = 4096;

  private final Map<Integer, CmId> byLocalId = new LinkedHashMap<>();
  private final Map<RemoteId, CmId> byRemoteId = new LinkedHashMap<>();
  private final Map<RemoteQp, CmId> byRemoteQp = new LinkedHashMap<>();
  private final Map<ServiceRequest, CmId> byRequest = new LinkedHashMap<>();
  private final Set<CmId> answeredIds = new LinkedHashSet<>();
  private final Set<CmId> idsTimedByPeer = new LinkedHashSet<>();
  private final TreeSet<Deadline> deadlines = new TreeSet<>(CmIds::earlierFirst);

  /** Communication ID of a peer, with the device that has assigned it. */
  private record RemoteId(Gid gid, long caGuid, int commId) {}

  private record RemoteQp(Gid gid, long caGuid, int qpn) {}

  /** SIDR_REQ of a peer. */
  private record ServiceRequest(Gid gid, int requestId) {}

  /** Sort key of an id. The deadline of the id changes only while its key is out of the set. */
  private record Deadline(long atNanos, CmId id) {}

  private static int earlierFirst(Deadline a, Deadline b) {
    int byTime = Long.signum(a.atNanos - b.atNanos);
    return byTime != 0 ? byTime : Integer.compare(a.id.localCommId(), b.id.localCommId());
  }

  void add(CmId id) {
    byLocalId.put(id.localCommId(), id);
  }

  boolean has(int localCommId) {
    return byLocalId.containsKey(localCommId);
  }

  @Nullable CmId local(int localCommId) {
    return byLocalId.get(localCommId);
  }

  /** The id whose peer uses a communication ID; null if there is none. */
  @Nullable CmId remote(CmPeer from, long caGuid, int commId) {
    return byRemoteId.get(new RemoteId(from.gid(), caGuid, commId));
  }

  /** The id connected to a queue pair of a peer; null if there is none. */
  @Nullable CmId connectedTo(CmPeer from, long caGuid, int qpn) {
    return byRemoteQp.get(new RemoteQp(from.gid(), caGuid, qpn));
  }

  /** The id of a SIDR_REQ of a peer; null if there is none. */
  @Nullable CmId request(CmPeer from, int requestId) {
    return byRequest.get(new ServiceRequest(from.gid(), requestId));
  }

  void learnConnection(CmId id) {
    byRemoteId.put(remoteIdOf(id), id);
    if (id.remoteQpn() != CmId.NO_QPN) {
      byRemoteQp.put(remoteQpOf(id), id);
    }
  }

  void learnRequest(CmId id) {
    byRequest.put(new ServiceRequest(id.peer().gid(), id.remoteCommId()), id);
  }

  private static RemoteId remoteIdOf(CmId id) {
    return new RemoteId(id.peer().gid(), id.remoteCaGuid(), id.remoteCommId());
  }

  private static RemoteQp remoteQpOf(CmId id) {
    return new RemoteQp(id.peer().gid(), id.remoteCaGuid(), id.remoteQpn());
  }

  /** Updates the indexes after an id has entered a state. */
  void entered(CmId id) {
    CmState state = id.state();
    boolean usesQp = state.isPending() || (id.holdsQpn() && state != CmState.TIMEWAIT);
    if (id.knowsRemoteId() && !usesQp) {
      byRemoteQp.remove(remoteQpOf(id), id);
    }
    if (id.knowsRemoteId() && state == CmState.IDLE) {
      byRemoteId.remove(remoteIdOf(id), id);
      byRequest.remove(new ServiceRequest(id.peer().gid(), id.remoteCommId()), id);
    }
    if (state.isAnswered()) {
      answeredIds.add(id);
    } else {
      answeredIds.remove(id);
    }
    if (state.isTimedByPeer()) {
      idsTimedByPeer.add(id);
    } else {
      idsTimedByPeer.remove(id);
    }
    if (state == CmState.IDLE && id.isDestroyed()) {
      byLocalId.remove(id.localCommId(), id);
    }
  }

  /** The oldest answered id if there are more than {@link #MAX_ANSWERED}; otherwise null. */
  @Nullable CmId oldestAnswerTooMany() {
    return answeredIds.size() > MAX_ANSWERED ? answeredIds.iterator().next() : null;
  }

  /** The oldest id timed by its peer if there are more than {@link #MAX_TIMED_BY_PEER}, or null. */
  @Nullable CmId oldestTimedByPeerTooMany() {
    return idsTimedByPeer.size() > MAX_TIMED_BY_PEER ? idsTimedByPeer.iterator().next() : null;
  }

  void setDeadline(CmId id, long atNanos) {
    clearDeadline(id);
    id.setDeadline(atNanos);
    deadlines.add(new Deadline(atNanos, id));
  }

  void clearDeadline(CmId id) {
    if (id.hasDeadline()) {
      deadlines.remove(new Deadline(id.deadlineNanos(), id));
      id.clearDeadline();
    }
  }

  boolean hasDeadline() {
    return !deadlines.isEmpty();
  }

  long earliestNanos() {
    return deadlines.first().atNanos();
  }

  /** Takes the id whose deadline has passed first, and clears the deadline; null if none. */
  @Nullable CmId pollDue(long nowNanos) {
    if (deadlines.isEmpty() || nowNanos - deadlines.first().atNanos() < 0) {
      return null;
    }
    CmId id = deadlines.first().id();
    clearDeadline(id);
    return id;
  }

  int size() {
    return byLocalId.size();
  }

  List<CmId> all() {
    return List.copyOf(byLocalId.values());
  }
}
