// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpPort;
import io.queuepair.emulator.engine.UdpSourcePort;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GidType;
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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One port of a device: its addresses (the GID table), state and MTU. */
public final class Port implements QpPort {
  private static final int DEFAULT_HOP_LIMIT = 64;

  /** IPv6, UDP, BTH, the longest extension headers and the ICRC, as Linux Soft-RoCE reckons. */
  private static final int HEADER_BYTES = 80;

  private static final int PHYSICAL_DISABLED = 3;
  private static final int PHYSICAL_LINK_UP = 5;
  private static final int MAX_COUNTER = 0xffff;

  /** Speed of an adapter without a link of its own: one lane of 2.5 Gbit/s. */
  private static final int WIDTH_1X = 1;

  private static final int SPEED_SDR = 1;
  private static final int LANES = 1;
  private static final int LANE_SPEED = 25;

  private static final int NO_INTERFACE = 0;

  /** The unspecified address, which no device has. */
  private static final InetAddress NO_ADDRESS = Gid.ZERO.toAddress();

  private final DeviceProfile profile;

  /** By slot of the GID table; {@link #NO_ADDRESS} in an empty one. */
  private final List<InetAddress> addresses;

  private final Fabric fabric;

  /** The largest packet of the network. */
  private final int largestBytes;

  /** The P_Key table: unsigned 16-bit entries, 0 in empty slots. */
  private final List<Integer> pkeys;

  private int mtuBytes;
  private Mtu activeMtu;
  private boolean isUp;

  /** Queue pairs to one peer share it: what a route is asked for each packet stays at hand. */
  private @Nullable Route latestRoute;

  /**
   * Describes a port.
   *
   * @param portNum its number, from 1
   * @param addresses its own; a port without addresses is down
   * @param fabric of the device
   * @param largestBytes length of the largest IP packet that the network carries
   */
  public Port(
      DeviceProfile profile,
      int portNum,
      List<InetAddress> addresses,
      Fabric fabric,
      int largestBytes) {
    this.profile = profile;
    pkeys = new ArrayList<>(profile.pkeys(portNum));
    this.addresses = new ArrayList<>(addresses);
    isUp = !addresses.isEmpty();
    this.fabric = fabric;
    this.largestBytes = largestBytes;
    limitPackets(largestBytes);
  }

  private void limitPackets(int bytes) {
    mtuBytes = bytes;
    activeMtu = Mtu.largestWithin(bytes - HEADER_BYTES);
  }

  @Override
  public int mtuBytes(QpType type) {
    return type == QpType.RAW_PACKET ? mtuBytes : activeMtu.bytes();
  }

  /**
   * An entry of the P_Key table; the first if the index is beyond it: only some devices take it.
   */
  @Override
  public int pkey(int index) {
    return pkeys.get(index < pkeys.size() ? index : 0);
  }

  /** The P_Key table. */
  List<Integer> pkeys() {
    return List.copyOf(pkeys);
  }

  /** Puts a P_Key into a slot of the table that exists; returns whether that is a change. */
  boolean setPkey(int index, int pkey) {
    return pkeys.set(index, pkey) != pkey;
  }

  public List<InetAddress> addresses() {
    return addresses;
  }

  @Override
  public boolean isFor(InetAddress address) {
    if (isUsual(address)) {
      return true;
    }
    return address.isMulticastAddress() ? hasFamilyOf(address) : addresses.contains(address);
  }

  /** Whether an address is the first of the port, which most packets are for, and which stays. */
  private boolean isUsual(InetAddress address) {
    return !addresses.isEmpty() && addresses.get(0).equals(address);
  }

  private boolean hasFamilyOf(InetAddress group) {
    return addresses.stream()
        .anyMatch(own -> own.getClass() == group.getClass() && !own.equals(NO_ADDRESS));
  }

  /**
   * The slot of the GID table that the next address gets.
   *
   * @throws VerbsException ENOSPC if there is none
   */
  public int freeSlot(String verb) {
    int slot = addresses.indexOf(NO_ADDRESS);
    if (slot < 0 && addresses.size() == profile.gidTableLength()) {
      throw new VerbsException(
          Errno.ENOSPC, verb, "all " + addresses.size() + " slots of the GID table are taken");
    }
    return slot < 0 ? addresses.size() : slot;
  }

  /** Puts an address into the first empty slot of the GID table. */
  public void add(String verb, InetAddress address) {
    int slot = freeSlot(verb);
    if (slot == addresses.size()) {
      addresses.add(address);
    } else {
      addresses.set(slot, address);
    }
  }

  /**
   * Empties the slot of an address.
   *
   * @throws VerbsException EINVAL if it is the first one, by which the device is known, or none
   */
  public void remove(String verb, InetAddress address) {
    int slot = addresses.indexOf(address);
    if (slot <= 0 || address.equals(NO_ADDRESS)) {
      String why = slot == 0 ? " is the first of the port and stays" : " is not one of the port";
      throw new VerbsException(Errno.EINVAL, verb, "address " + address.getHostAddress() + why);
    }
    addresses.set(slot, NO_ADDRESS);
  }

  /**
   * Limits the packets of the port.
   *
   * @throws VerbsException EINVAL if packets of the smallest path MTU would not fit, or the network
   *     does not carry so long ones
   */
  public void setMtu(String verb, int bytes) {
    int least = Mtu.MTU_256.bytes() + HEADER_BYTES;
    if (bytes < least || bytes > largestBytes) {
      throw new VerbsException(
          Errno.EINVAL, verb, "MTU " + bytes + " is not " + least + " to " + largestBytes);
    }
    limitPackets(bytes);
  }

  /** A slot of the GID table; zero if it is empty. */
  Gid gid(int index) {
    return index >= 0 && index < addresses.size() ? Gid.of(addresses.get(index)) : Gid.ZERO;
  }

  private List<Gid> gids() {
    return addresses.stream().map(Gid::of).toList();
  }

  public boolean isUp() {
    return isUp;
  }

  /** Takes the link up or down; returns whether that is a change. */
  public boolean setUp(boolean up) {
    boolean changes = up != isUp && !addresses.isEmpty();
    isUp = up && !addresses.isEmpty();
    return changes;
  }

  /** Largest path MTU in force. */
  public Mtu activeMtu() {
    return activeMtu;
  }

  /** Whether a device has an address, as far as the network can tell. */
  public boolean reaches(Gid gid) {
    return fabric.reaches(gid.toAddress());
  }

  /** Whether the host can send from a GID of the port to an address at all. */
  boolean hasRoute(Gid ownGid, Gid peerGid) {
    return fabric.hasRoute(ownGid.toAddress(), peerGid.toAddress());
  }

  /** Whether frames that applications make themselves can be sent and received. */
  public boolean isOnSegment() {
    return fabric.hasSegment();
  }

  /** The address of frames for this port, from its first IP address: only if it has one. */
  public MacAddress mac() {
    return Ethernet.macOf(addresses.get(0));
  }

  /** The way of a connection to a checked address of a peer whose number is known. */
  Route routeOf(QpContext qp, AhAttr ahAttr) {
    int flowLabel = ahAttr.grh().flowLabel();
    return route(ahAttr, UdpSourcePort.of(flowLabel, qp.qpn(), qp.attributes().destQpNum()));
  }

  /**
   * Whether an address that was checked can still be sent to: the slot of the own GID may have been
   * emptied, or have got an address of the other IP version.
   */
  boolean hasSourceFor(AhAttr ahAttr) {
    InetAddress source = addresses.get(ahAttr.grh().sgidIndex());
    return !source.equals(NO_ADDRESS)
        && source.getClass() == ahAttr.grh().dgid().toAddress().getClass();
  }

  @Override
  public long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return addresses.contains(own) ? fabric.receiveBufferBytes(own, peer) : Long.MAX_VALUE;
  }

  /** The way of a datagram to an address that it {@link #hasSourceFor}. */
  Route datagramRoute(QpContext qp, AhAttr ahAttr) {
    return route(ahAttr, UdpSourcePort.ofDatagrams(qp.qpn()));
  }

  /** The way to an address that it {@link #hasSourceFor}. */
  Route route(AhAttr ahAttr, int flowPort) {
    GlobalRoute grh = ahAttr.grh();
    int sourcePort = fabric.sourcePort();
    boolean keepsFields = !profile.has(Quirk.ROUTE_FILLS_HEADERS);
    boolean keepsHopLimit = keepsFields || grh.dgid().toAddress().isMulticastAddress();
    Route route =
        new Route(
            addresses.get(grh.sgidIndex()),
            grh.dgid().toAddress(),
            sourcePort == 0 ? flowPort : sourcePort,
            grh.trafficClass(),
            keepsHopLimit && grh.hopLimit() != 0 ? grh.hopLimit() : DEFAULT_HOP_LIMIT,
            keepsFields ? grh.flowLabel() : 0);
    Route cachedRoute = latestRoute;
    if (route.equals(cachedRoute)) {
      return cachedRoute;
    }
    latestRoute = route;
    return route;
  }

  /** The address to answer a datagram to. */
  public AhAttr answerTo(String verb, int portNum, WorkCompletion completion, ByteBuffer grh) {
    return AhFromWc.of(verb, completion, grh, gids(), portNum);
  }

  public PortAttr attributes(long badPkeys, long badQkeys) {
    return new PortAttr(
        isUp ? PortState.ACTIVE : PortState.DOWN,
        Mtu.MTU_4096,
        activeMtu,
        profile.gidTableLength(),
        profile.portCapFlags(),
        profile.maxMessageBytes(),
        pkeys.size(),
        (int) Math.min(badPkeys, MAX_COUNTER),
        (int) Math.min(badQkeys, MAX_COUNTER),
        WIDTH_1X,
        SPEED_SDR,
        isUp ? PHYSICAL_LINK_UP : PHYSICAL_DISABLED,
        LinkLayer.ETHERNET,
        true);
  }

  /** In units of 100 Mbit/s. */
  public long speed() {
    return isUp ? LANES * LANE_SPEED : 0;
  }

  /** A slot of the GID table, possibly an empty one. */
  public GidEntry entry(String verb, int portNum, int index) {
    int length = profile.gidTableLength();
    if (index < 0 || index >= length) {
      throw new VerbsException(
          Errno.EINVAL, verb, "GID index " + index + " is not 0 to " + (length - 1));
    }
    return new GidEntry(gid(index), index, portNum, GidType.ROCE_V2, NO_INTERFACE);
  }

  /** The slots of the GID table that are not empty. */
  public List<GidEntry> entries(String verb, int portNum) {
    return IntStream.range(0, addresses.size())
        .mapToObj(index -> entry(verb, portNum, index))
        .filter(entry -> !entry.gid().isZero())
        .toList();
  }
}
