// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Multicast groups of a device and the UD queue pairs attached to them. */
public final class MulticastGroups {
  public static final int QPN = 0xff_ffff;

  /** Members by group; groups without members are absent. */
  private final Map<Gid, Set<QpEngine>> membersByGid = new LinkedHashMap<>();

  public boolean contains(Gid mgid, QpEngine qpEngine) {
    return membersOf(mgid).contains(qpEngine);
  }

  /** Number of groups with members. */
  public int size() {
    return membersByGid.size();
  }

  /** Number of queue pairs attached to a group. */
  public int sizeOf(Gid mgid) {
    return membersOf(mgid).size();
  }

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

  public List<InetAddress> addresses() {
    return membersByGid.keySet().stream().map(Gid::toAddress).toList();
  }

  public void detachAll(QpEngine qpEngine) {
    List.copyOf(membersByGid.keySet()).forEach(mgid -> detach(mgid, qpEngine));
  }

  public Set<QpEngine> membersOf(Gid mgid) {
    return membersByGid.getOrDefault(mgid, new LinkedHashSet<>());
  }
}
