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
  private final Map<Gid, Set<QpEngine>> members = new LinkedHashMap<>();

  public boolean contains(Gid group, QpEngine qpEngine) {
    return membersOf(group).contains(qpEngine);
  }

  /** How many groups there are. */
  public int size() {
    return members.size();
  }

  /** How many queue pairs are attached to a group. */
  public int sizeOf(Gid group) {
    return membersOf(group).size();
  }

  /** How many attachments there are to all groups. */
  public int attachments() {
    return members.values().stream().mapToInt(Set::size).sum();
  }

  public void attach(Gid group, QpEngine qpEngine) {
    members.computeIfAbsent(group, key -> new LinkedHashSet<>()).add(qpEngine);
  }

  public void detach(Gid group, QpEngine qpEngine) {
    Set<QpEngine> left = membersOf(group);
    left.remove(qpEngine);
    if (left.isEmpty()) {
      members.remove(group);
    }
  }

  /** The addresses under which the network knows the groups. */
  public List<InetAddress> addresses() {
    return members.keySet().stream().map(Gid::toAddress).toList();
  }

  /** Detaches a queue pair from all groups. */
  public void detachAll(QpEngine qpEngine) {
    List.copyOf(members.keySet()).forEach(group -> detach(group, qpEngine));
  }

  public Set<QpEngine> membersOf(Gid group) {
    return members.getOrDefault(group, new LinkedHashSet<>());
  }
}
