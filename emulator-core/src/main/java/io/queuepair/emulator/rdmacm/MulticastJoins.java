// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.AsyncEvents.UnackedEvents;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.Action;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Multicast groups of one id. Guarded by the lock of the host. */
final class MulticastJoins {
  private static final int MULTICAST_QPN = 0xff_ffff;

  /** Hop limit that Linux uses for groups over RoCEv2. */
  private static final int HOP_LIMIT = 64;

  private static final String LEAVE = "rdma_leave_multicast";

  private final EmulatedHost host;
  private final IdContext id;
  private final Map<InetAddress, Group> groups = new LinkedHashMap<>();

  MulticastJoins(EmulatedHost host, IdContext id) {
    this.host = host;
    this.id = id;
  }

  static final class Group {
    private final Gid gid;
    private boolean isAttached;
    private UnackedEvents unackedEvents = UnackedEvents.NONE;

    private Group(Gid gid) {
      this.gid = gid;
    }

    Gid gid() {
      return gid;
    }

    void markAttached() {
      isAttached = true;
    }

    void addTaken() {
      unackedEvents = unackedEvents.oneMore();
    }

    void removeTaken() {
      unackedEvents = unackedEvents.count() == 1 ? UnackedEvents.NONE : unackedEvents.less(1);
    }
  }

  void join(String verb, InetSocketAddress address, RdmaMcJoinFlag joinFlag, Object context) {
    InetAddress group = address.getAddress();
    EmulatedRdmaCmId.refuseUnless(id.isDatagram(), verb, "the id is no datagram service");
    EmulatedRdmaCmId.refuseUnless(id.position != null, verb, "the id is not bound to a device");
    // As in cma.c, joining is too late after the route is resolved.
    boolean isInTime = id.state() == IdState.ADDR_BOUND || id.state() == IdState.ADDR_RESOLVED;
    EmulatedRdmaCmId.refuseUnless(isInTime, verb, "it is too late: " + id.state().text());
    EmulatedRdmaCmId.refuseUnless(
        group != null && group.isMulticastAddress(),
        verb,
        address.getHostString() + " is no multicast group");
    boolean isSameFamily =
        group instanceof Inet4Address == id.source.getAddress() instanceof Inet4Address;
    EmulatedRdmaCmId.refuseUnless(isSameFamily, verb, "the group is of another family than the id");
    if (!(group instanceof Inet4Address)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          verb,
          "rdma_cm joins groups of IPv4 only over RoCEv2, as in Linux: ibv_attach_mcast takes "
              + group.getHostAddress());
    }
    EmulatedRdmaCmId.refuseUnless(
        !groups.containsKey(group), verb, "the id has joined the group already");
    Group joinedGroup = new Group(Gid.of(group));
    groups.put(group, joinedGroup);
    RdmaUdParam param =
        new RdmaUdParam(
            ByteBuffer.allocate(0),
            new AhAttr(
                new GlobalRoute(
                    joinedGroup.gid(), 0, id.position.gidIndex(), HOP_LIMIT, id.trafficClass),
                0,
                id.position.portNum()),
            MULTICAST_QPN,
            RdmaUdParam.UDP_QKEY);
    Action action = joinFlag == RdmaMcJoinFlag.FULLMEMBER ? Action.ATTACH : Action.NONE;
    EventContent content =
        new EventContent(RdmaCmEventType.MULTICAST_JOIN, 0, null, param, context, "");
    host.tell(id, content, action, joinedGroup);
  }

  /** Leaves a group and returns it, to be detached outside of the lock. */
  @Nullable Group leave(InetSocketAddress address) {
    Group group = groups.get(address.getAddress());
    if (group == null) {
      throw new VerbsException(
          Errno.EADDRNOTAVAIL, LEAVE, "the id has not joined " + address.getHostString());
    }
    if (group.unackedEvents.count() > 0) {
      throw new VerbsException(Errno.EBUSY, LEAVE, "an event of the group is not acknowledged");
    }
    groups.remove(address.getAddress());
    id.channel.removeIf(event -> event.group() == group);
    return group;
  }

  /** Leaves all groups and returns them, to be detached outside of the lock. */
  List<Group> leaveAll() {
    List<Group> allGroups = List.copyOf(groups.values());
    groups.clear();
    return allGroups;
  }

  /** Detaches a queue pair from a group, outside of the lock. */
  static void detach(@Nullable QueuePair qp, Group group) {
    if (group.isAttached && qp != null) {
      qp.detachMcast(group.gid());
      group.isAttached = false;
    }
  }
}
