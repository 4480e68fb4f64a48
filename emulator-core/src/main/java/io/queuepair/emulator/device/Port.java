package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.PortFacts;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.qp.UdpSourcePort;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.LinkLayer;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** The one port of a device: its addresses (the GID table), P_Key table and MTU. */
final class Port {
  private static final int PORT_NUM = 1;
  private static final int DEFAULT_HOP_LIMIT = 64;

  /** IPv6, UDP, BTH, the longest extension headers and the ICRC, as Linux Soft-RoCE reckons. */
  private static final int HEADER_BYTES = 80;

  private static final int CAP_IP_BASED_GIDS = 1 << 26;
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int PHYSICAL_LINK_UP = 5;
  private static final int MAX_COUNTER = 0xffff;

  private final DeviceProfile profile;
  private final List<InetAddress> addresses;
  private final List<Gid> gids;
  private final int sourcePort;
  private final int linkMtuBytes;
  private final Mtu activeMtu;
  private final boolean isOnSegment;

  /**
   * Describes the port.
   *
   * @param link any of its links: all are of one network
   */
  Port(DeviceProfile profile, List<InetAddress> addresses, Link link) {
    this.profile = profile;
    this.addresses = List.copyOf(addresses);
    gids = addresses.stream().map(Gid::of).toList();
    sourcePort = link.sourcePort();
    linkMtuBytes = link.mtuBytes();
    activeMtu = Mtu.largestWithin(linkMtuBytes - HEADER_BYTES);
    isOnSegment = link.hasSegment();
  }

  /** Which of the port's addresses this is. */
  int indexOf(InetAddress address) {
    int index = 0;
    while (!addresses.get(index).equals(address)) {
      index++;
    }
    return index;
  }

  PortFacts facts() {
    return new PortFacts(
        gids,
        profile.pkeys(),
        activeMtu,
        profile.limit(DeviceLimit.MAX_QP_RD_ATOM),
        profile.limit(DeviceLimit.MAX_QP_INIT_RD_ATOM));
  }

  /** Whether frames that applications make themselves can be sent and received. */
  boolean isOnSegment() {
    return isOnSegment;
  }

  /** The address of frames for this device. */
  MacAddress mac() {
    return Ethernet.macOf(addresses.get(0));
  }

  /** Payload bytes of the largest packet, or frame, that a queue pair of a type can send. */
  int mtuBytesOf(QpType type) {
    return type == QpType.RAW_PACKET ? linkMtuBytes : activeMtu.bytes();
  }

  /** The way to the peer of a queue pair whose address vector and peer number are set. */
  Route routeOf(QpContext qp) {
    AhAttr address = qp.attributes().ahAttr();
    int flowLabel = address.grh().flowLabel();
    return route(address, UdpSourcePort.of(flowLabel, qp.qpn(), qp.attributes().destQpNum()));
  }

  /** The way of a datagram from a queue pair to a checked address. */
  Route routeOf(QpContext qp, AhAttr address) {
    return route(address, UdpSourcePort.ofDatagrams(qp.qpn()));
  }

  private Route route(AhAttr address, int flowPort) {
    GlobalRoute grh = address.grh();
    return new Route(
        addresses.get(grh.sgidIndex()),
        grh.dgid().toAddress(),
        sourcePort == 0 ? flowPort : sourcePort,
        grh.trafficClass(),
        grh.hopLimit() == 0 ? DEFAULT_HOP_LIMIT : grh.hopLimit(),
        grh.flowLabel());
  }

  /** The address to answer a datagram to. */
  AhAttr answerTo(int portNum, WorkCompletion completion, ByteBuffer grh) {
    checkPort("ibv_init_ah_from_wc", portNum);
    return ReturnAddress.of(completion, grh, gids, portNum);
  }

  int pkeyOf(QpContext qp) {
    return profile.pkeys().get(qp.attributes().pkeyIndex());
  }

  PortAttr attributes(int portNum, long badPkeys, long badQkeys) {
    checkPort("ibv_query_port", portNum);
    return new PortAttr(
        PortState.ACTIVE,
        Mtu.MTU_4096,
        activeMtu,
        profile.gidTableLength(),
        CAP_IP_BASED_GIDS,
        MAX_MESSAGE_BYTES,
        profile.pkeys().size(),
        (int) Math.min(badPkeys, MAX_COUNTER),
        (int) Math.min(badQkeys, MAX_COUNTER),
        1,
        1,
        PHYSICAL_LINK_UP,
        LinkLayer.ETHERNET);
  }

  Gid gid(int portNum, int index) {
    checkPort("ibv_query_gid", portNum);
    checkIndex("ibv_query_gid", "GID", index, profile.gidTableLength());
    return index < gids.size() ? gids.get(index) : Gid.ZERO;
  }

  int pkey(int portNum, int index) {
    checkPort("ibv_query_pkey", portNum);
    checkIndex("ibv_query_pkey", "P_Key", index, profile.pkeys().size());
    return profile.pkeys().get(index);
  }

  private static void checkPort(String verb, int portNum) {
    if (portNum != PORT_NUM) {
      throw new VerbsException(Errno.EINVAL, verb, "port " + portNum + " is not 1");
    }
  }

  private static void checkIndex(String verb, String table, int index, int length) {
    if (index < 0 || index >= length) {
      throw new VerbsException(
          Errno.EINVAL, verb, table + " index " + index + " is not 0 to " + (length - 1));
    }
  }
}
