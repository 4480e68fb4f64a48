// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which datagram queue pairs of a device get what is sent to which multicast group. */
public final class MulticastGroups {
  /** The queue pair number that stands for all members of a group. */
  public static final int QPN = 0xff_ffff;

  /** Groups with at least one member. */
  private final Map<Gid, Set<QpEngine>> membersByGid = new LinkedHashMap<>();

  public boolean contains(Gid mgid, QpEngine qpEngine) {
    return membersOf(mgid).contains(qpEngine);
  }

  /** How many groups there are. */
  public int size() {
    return membersByGid.size();
  }

  /** How many queue pairs are attached to a group. */
  public int sizeOf(Gid mgid) {
    return membersOf(mgid).size();
  }

  /** How many attachments there are to all groups. */
  public int attachments() {
    return membersByGid.values().stream().mapToInt(Set::size).sum();
  }

  public void attach(Gid mgid, QpEngine qpEngine) {
    membersByGid.computeIfAbsent(mgid, k -> new LinkedHashSet<>()).add(qpEngine);
  }

  public void detach(Gid mgid, QpEngine qpEngine) {
    Set<QpEngine> remainingQps = membersOf(mgid);
    remainingQps.remove(qpEngine);
    if (remainingQps.isEmpty()) {
      membersByGid.remove(mgid);
    }
  }

  /** The addresses under which the network knows the groups. */
  public List<InetAddress> addresses() {
    return membersByGid.keySet().stream().map(Gid::toAddress).toList();
  }

  /** Detaches a queue pair from all groups. */
  public void detachAll(QpEngine qpEngine) {
    List.copyOf(membersByGid.keySet()).forEach(mgid -> detach(mgid, qpEngine));
  }

  public Set<QpEngine> membersOf(Gid mgid) {
    return membersByGid.getOrDefault(mgid, new LinkedHashSet<>());
  }
}
