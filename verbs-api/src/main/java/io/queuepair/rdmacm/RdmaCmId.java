// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.Verb;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, a listener, or a datagram service ({@code struct rdma_cm_id}): what a
 * socket is to TCP. Thread-safe. A call that does not fit the state of the id is refused with
 * EINVAL.
 *
 * <p>An id in synchronous mode has no channel. Of it, each call that is said to lead to an event
 * waits for that event, and is refused with the errno of its status, or ECONNREFUSED if it is
 * REJECTED; {@link #event} has it afterwards.
 */
public interface RdmaCmId extends RdmaVerbs, AutoCloseable {
  /** {@return where its events go; null in synchronous mode} */
  @Nullable RdmaEventChannel channel();

  /**
   * Whatever the program attached.
   *
   * @return null at first; of a request that is taken, the context of the id that listens
   */
  @Nullable Object context();

  /**
   * Attaches something of the program's, which the connection manager does not look at.
   *
   * @param context anything, or null
   */
  void setContext(@Nullable Object context);

  /** {@return the opened device that the id is bound to, or null} */
  @Nullable Context verbs();

  /** {@return number of the port of the device, from 1; 0 before the id is bound to a device} */
  int portNum();

  /** {@return the port space} */
  RdmaPortSpace ps();

  /** {@return type of the queue pair that the id has or will have} */
  QpType qpType();

  /** {@return the last event, in synchronous mode; null if there was none} */
  @Nullable RdmaCmEvent event();

  /** {@return the path to the peer; empty before the route is resolved} */
  Optional<RdmaPath> route();

  /**
   * The own address ({@code &id->route.addr.src_addr}).
   *
   * @return address and port; null before the id is bound
   */
  @Verb("rdma_get_local_addr")
  @Nullable InetSocketAddress localAddr();

  /**
   * The address of the peer.
   *
   * @return address and port; null as long as there is no peer
   */
  @Verb("rdma_get_peer_addr")
  @Nullable InetSocketAddress peerAddr();

  /**
   * The own port.
   *
   * @return 0 before the id is bound
   */
  @Verb("rdma_get_src_port")
  default int srcPort() {
    InetSocketAddress local = localAddr();
    return local == null ? 0 : local.getPort();
  }

  /**
   * The port of the peer.
   *
   * @return 0 as long as there is no peer
   */
  @Verb("rdma_get_dst_port")
  default int dstPort() {
    InetSocketAddress peer = peerAddr();
    return peer == null ? 0 : peer.getPort();
  }

  /**
   * Binds the id to an own address. A particular one binds it to the device that has it; the
   * wildcard does not, nor does a loopback address of no device, which stands for the wildcard.
   *
   * @param addr address and port; port 0 stands for one that is free
   * @throws io.queuepair.verbs.VerbsException EADDRNOTAVAIL if the address is not one of the host,
   *     or if another id has the port and one of the two is bound to all addresses; EADDRINUSE if
   *     another id has the port at this address; EINVAL if the id is bound
   */
  @Verb("rdma_bind_addr")
  void bindAddr(InetSocketAddress addr);

  /**
   * Finds the device by which the peer is reached, and binds the id to it. Leads to ADDR_RESOLVED
   * or ADDR_ERROR.
   *
   * @param src own address, as for {@link #bindAddr}; null for that by which the peer is reached
   * @param dst address and port of the peer
   * @param timeout how long at most, in the time of the network
   * @throws io.queuepair.verbs.VerbsException as {@link #bindAddr}; ENETUNREACH if the host has no
   *     address of the family; EINVAL if the id is beyond that
   */
  @Verb("rdma_resolve_addr")
  void resolveAddr(@Nullable InetSocketAddress src, InetSocketAddress dst, Duration timeout);

  /**
   * Finds the path to the peer. Leads to ROUTE_RESOLVED or ROUTE_ERROR.
   *
   * @param timeout how long at most, in the time of the network
   * @throws io.queuepair.verbs.VerbsException EINVAL if the address is not resolved, or the timeout
   *     is not positive
   */
  @Verb("rdma_resolve_route")
  void resolveRoute(Duration timeout);

  /**
   * Creates the queue pair of the id: of a connection in state INIT, of datagrams in RTS. A type
   * that takes the attributes of that state will do, even if it is not that of the id.
   *
   * @param pd its domain, or null for the default of the device
   * @param qpInitAttr type and capacities. Completion queues that are null are created, with
   *     channels; without shared receive queue that of the id is used
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is one, the id is not bound to a
   *     device, listens for connections, or is of one that has ended or was rejected, the domain is
   *     of another context, or the type takes other attributes; as {@link
   *     ProtectionDomain#createQp}
   */
  @Verb("rdma_create_qp")
  default void createQp(@Nullable ProtectionDomain pd, QpInitAttr qpInitAttr) {
    createQpEx(pd, QpInitAttrEx.of(qpInitAttr));
  }

  /**
   * Creates a queue pair with extended features.
   *
   * @param pd its domain, or null for the default of the device
   * @param qpInitAttr type, capacities and features
   * @throws io.queuepair.verbs.VerbsException as {@link #createQp}, and {@link
   *     ProtectionDomain#createQpEx}
   */
  @Verb("rdma_create_qp_ex")
  void createQpEx(@Nullable ProtectionDomain pd, QpInitAttrEx qpInitAttr);

  /**
   * Destroys the queue pair of the id, if there is one, and the completion queues made for it.
   *
   * @throws io.queuepair.verbs.VerbsException as {@link io.queuepair.verbs.QueuePair#close}
   */
  @Verb("rdma_destroy_qp")
  void destroyQp();

  /**
   * Creates the shared receive queue of the id: of type XRC if the queue pair is XRC_RECV.
   *
   * @param pd domain of the memory, or null for the default of the device
   * @param attr capacities
   * @throws io.queuepair.verbs.VerbsException as {@link #createSrqEx}
   */
  @Verb("rdma_create_srq")
  void createSrq(@Nullable ProtectionDomain pd, SrqAttr attr);

  /**
   * Creates the shared receive queue of the id.
   *
   * @param attr type and capacities; what is null there is the default of the id
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is one, the id is not bound to a
   *     device, or the type is missing; as {@link ProtectionDomain#createSrq}
   */
  @Verb("rdma_create_srq_ex")
  void createSrqEx(SrqInitAttrEx attr);

  /** Destroys the shared receive queue of the id, if there is one. */
  @Verb("rdma_destroy_srq")
  void destroySrq();

  /**
   * Connects, with as many READs as the device can and retries 7 and 7; see {@link
   * #connect(RdmaConnParam)}.
   *
   * @throws io.queuepair.verbs.VerbsException as {@link #connect(RdmaConnParam)}; EINVAL without
   *     queue pair on the id
   */
  @Verb("rdma_connect")
  void connect();

  /**
   * Connects to the peer; of datagrams, asks for its queue pair. Leads to ESTABLISHED, or without
   * queue pair on the id to CONNECT_RESPONSE; otherwise to REJECTED, UNREACHABLE or CONNECT_ERROR.
   *
   * @param param what the connection is made with; of datagrams only the private data counts, and
   *     the number of a queue pair that is not on the id
   * @throws io.queuepair.verbs.VerbsException EINVAL if the route is not resolved, there are more
   *     READs than the device can, or more private data than 56 bytes, or 180 of datagrams
   */
  @Verb("rdma_connect")
  void connect(RdmaConnParam param);

  /**
   * Tells the peer that the connection is there, after CONNECT_RESPONSE.
   *
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is a queue pair on the id, for which
   *     this happens by itself, or no response
   */
  @Verb("rdma_establish")
  void establish();

  /**
   * Listens: each request is a CONNECT_REQUEST, with a new id on the same channel. An id that is
   * bound to the wildcard listens on all devices, one that is not bound at a port that is free.
   *
   * @param backlog how many requests may wait until the program takes them; further ones are
   *     dropped without an answer, so that their peers ask again. 0 or less, and more than 1024,
   *     mean 1024
   * @throws io.queuepair.verbs.VerbsException EINVAL if the id is not idle or bound; as {@link
   *     #bindAddr} if it shares its port with another id
   */
  @Verb("rdma_listen")
  void listen(int backlog);

  /**
   * Takes the next request of an id that listens in synchronous mode, waiting for it. If the id was
   * made with attributes of a queue pair, the new id has one.
   *
   * @return the new id, in synchronous mode, to be accepted or rejected; its {@link #event} is the
   *     request
   * @throws io.queuepair.verbs.VerbsException EINVAL if it has a channel or does not listen; as
   *     {@link RdmaEventChannel#getCmEvent()} and {@link #createQp}
   */
  @Verb("rdma_get_request")
  RdmaCmId getRequest();

  /**
   * Accepts a request, with what it asked for as far as the device can; see {@link
   * #accept(RdmaConnParam)}.
   *
   * @throws io.queuepair.verbs.VerbsException as {@link #accept(RdmaConnParam)}
   */
  @Verb("rdma_accept")
  void accept();

  /**
   * Accepts a request; of datagrams, tells the peer the queue pair. The queue pair on the id
   * becomes ready to receive and to send. Leads to ESTABLISHED, but not of datagrams. Where the
   * private data is too long, the request is rejected, and the queue pair goes to Error.
   *
   * @param param what the connection is made with; of datagrams only the private data counts, and
   *     the number of a queue pair that is not on the id
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is no request, or it is no more,
   *     there are more READs than the device can, or more private data than 196 bytes, or 136 of
   *     datagrams
   */
  @Verb("rdma_accept")
  void accept(RdmaConnParam param);

  /** Rejects a request without private data; see {@link #reject(byte[])}. */
  @Verb("rdma_reject")
  default void reject() {
    reject(new byte[0]);
  }

  /**
   * Rejects a request: the peer gets REJECTED with status 28, or of datagrams UNREACHABLE with
   * status 2.
   *
   * @param privateData bytes for the program of the peer, at most 148, or 136 of datagrams
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is no request, or too much data
   */
  @Verb("rdma_reject")
  void reject(byte[] privateData);

  /**
   * Rejects a request because its ECE options are not understood: status 35 at the peer.
   *
   * @param privateData bytes for the program of the peer, at most 148
   * @throws io.queuepair.verbs.VerbsException as {@link #reject(byte[])}
   */
  @Verb("rdma_reject_ece")
  void rejectEce(byte[] privateData);

  /**
   * Tells that data has come on a connection that was accepted, although the peer's last message
   * about it has not: it is ESTABLISHED then.
   *
   * @param event COMM_EST, as the queue pair has raised it
   * @throws io.queuepair.verbs.VerbsException EISCONN if the connection is there already; EINVAL
   *     for another event, or if nothing was accepted
   */
  @Verb("rdma_notify")
  void notify(EventType event);

  /**
   * Ends the connection, or answers the peer, which has: the queue pair goes to Error. Leads to
   * DISCONNECTED, on both sides, and later to TIMEWAIT_EXIT. Where neither is possible, as before
   * the peer's RTU or after a rejection, only the queue pair goes to Error, and the peer does not
   * hear of it; an accepted connection may still be established then.
   *
   * @throws io.queuepair.verbs.VerbsException EINVAL if no connection was asked for, though a queue
   *     pair goes to Error; an id that listens on a device has nothing to end, and is not refused
   */
  @Verb("rdma_disconnect")
  void disconnect();

  /**
   * Joins a multicast group to send and to receive. Leads to MULTICAST_JOIN or MULTICAST_ERROR.
   *
   * @param addr the group; its port does not count
   * @param context {@link RdmaCmEvent#arg} of the event
   * @throws io.queuepair.verbs.VerbsException EINVAL if the id is no datagram service, is not bound
   *     to a device, has a route already, or the address is of no group or of another family;
   *     EOPNOTSUPP for a group of IPv6, which Linux does not join over RoCEv2
   */
  @Verb("rdma_join_multicast")
  default void joinMulticast(InetSocketAddress addr, Object context) {
    joinMulticastEx(addr, RdmaMcJoinFlag.FULLMEMBER, context);
  }

  /**
   * Joins a multicast group.
   *
   * @param addr the group; its port does not count
   * @param joinFlag whether to receive, too
   * @param context {@link RdmaCmEvent#arg} of the event
   * @throws io.queuepair.verbs.VerbsException as {@link #joinMulticast}
   */
  @Verb("rdma_join_multicast_ex")
  void joinMulticastEx(InetSocketAddress addr, RdmaMcJoinFlag joinFlag, Object context);

  /**
   * Leaves a multicast group.
   *
   * @param addr the group
   * @throws io.queuepair.verbs.VerbsException EADDRNOTAVAIL if the id has not joined it; EBUSY
   *     while an event of it is not acknowledged
   */
  @Verb("rdma_leave_multicast")
  void leaveMulticast(InetSocketAddress addr);

  /**
   * Sets an option.
   *
   * @param option the option and its value
   * @throws io.queuepair.verbs.VerbsException EINVAL if the value is out of range, or it is too
   *     late
   */
  @Verb("rdma_set_option")
  void setOption(RdmaOption option);

  /**
   * Moves the id to another channel, with the events that were not taken.
   *
   * @param channel the new channel, or null for synchronous mode
   * @throws io.queuepair.verbs.VerbsException EINVAL if it is in synchronous mode already, or the
   *     channel was destroyed or is of another host; EBUSY while an event of the id is not
   *     acknowledged
   */
  @Verb("rdma_migrate_id")
  void migrate(@Nullable RdmaEventChannel channel);

  /**
   * Looks for addresses of a node, see {@link RdmaCm#getaddrinfo}. Leads to ADDRINFO_RESOLVED or
   * ADDRINFO_ERROR.
   *
   * @param node name or IP address, or null
   * @param service port, or null
   * @param hints what to look for, or null
   * @throws io.queuepair.verbs.VerbsException EBUSY if it looks for some already
   */
  @Verb("rdma_resolve_addrinfo")
  void resolveAddrinfo(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints);

  /**
   * Addresses that {@link #resolveAddrinfo} found.
   *
   * @return the addresses
   * @throws io.queuepair.verbs.VerbsException ENOENT if there are none
   */
  @Verb("rdma_query_addrinfo")
  List<RdmaAddrinfo> queryAddrinfo();

  /**
   * Puts an event of the program's on the channel.
   *
   * @param event {@link RdmaCmEventType#USER}, or INTERNAL as librdmacm does
   * @param status {@link RdmaCmEvent#status} of the event
   * @param arg {@link RdmaCmEvent#arg} of the event
   * @throws io.queuepair.verbs.VerbsException EINVAL for another type
   */
  @Verb("rdma_write_cm_event")
  void writeCmEvent(RdmaCmEventType event, int status, Object arg);

  /**
   * The attributes that take a queue pair, which is not on the id, to a state.
   *
   * @param qpState INIT, RTR or RTS
   * @return the attributes; {@link QpAttr#mask} says which
   * @throws io.queuepair.verbs.VerbsException EINVAL if the connection has not come so far, or for
   *     another state
   */
  @Verb("rdma_init_qp_attr")
  QpAttr initQpAttr(QpState qpState);

  /**
   * Sets ECE options that the next request or acceptance carries.
   *
   * @param ece the options
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is a queue pair on the id
   */
  @Verb("rdma_set_local_ece")
  void setLocalEce(Ece ece);

  /**
   * The ECE options of the peer.
   *
   * @return its options; {@link Ece#NONE} if it sent none
   * @throws io.queuepair.verbs.VerbsException EINVAL if there is a queue pair on the id
   */
  @Verb("rdma_get_remote_ece")
  Ece getRemoteEce();

  /**
   * Destroys the id with what is left on it: queue pair, shared receive queue and completion
   * queues. A connection that is there, or is being made, ends: the peer is notified. Multicast
   * groups are left, and events that were not taken vanish. Who waits in a function of an id in
   * synchronous mode gets EINVAL. Closing twice is closing once.
   *
   * @throws io.queuepair.verbs.VerbsException EBUSY while an event of the id is not acknowledged,
   *     at once in virtual time or if the calling thread took all of them, otherwise after waiting
   *     ten seconds for other threads; as {@link io.queuepair.verbs.QueuePair#close}
   */
  @Override
  @Verb({"rdma_destroy_id", "rdma_destroy_ep"})
  void close();
}
