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

  /** IPv6, UDP, BTH, extension headers and ICRC: RXE_MAX_HDR_LENGTH of Linux Soft-RoCE. */
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

  /** Addresses by slot of the GID table; {@link #NO_ADDRESS} in an empty slot. */
  private final List<InetAddress> addresses;

  private final Fabric fabric;

  /** Length of the longest IP packet that the network carries. */
  private final int largestBytes;

  /** The P_Key table: unsigned 16-bit entries, 0 in empty slots. */
  private final List<Integer> pkeys;

  private int mtuBytes;
  private Mtu activeMtu;
  private boolean isUp;

  /** Latest route. Queue pairs to one peer share the object, which is read for each packet. */
  private @Nullable Route latestRoute;

  /**
   * Creates a port.
   *
   * @param portNum its number, from 1
   * @param addresses its addresses; a port without addresses is down
   * @param fabric network of the device
   * @param largestBytes length of the longest IP packet that the network carries
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

  /** P_Key in a slot; beyond the table, which some devices allow, that of the first slot. */
  @Override
  public int pkey(int index) {
    return pkeys.get(index < pkeys.size() ? index : 0);
  }

  List<Integer> pkeys() {
    return List.copyOf(pkeys);
  }

  /** Puts a P_Key into an existing slot of the table; returns whether the P_Key has changed. */
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

  /** Whether an address is the port's first: most packets are for it, and it always stays. */
  private boolean isUsual(InetAddress address) {
    return !addresses.isEmpty() && addresses.get(0).equals(address);
  }

  private boolean hasFamilyOf(InetAddress group) {
    return addresses.stream()
        .anyMatch(own -> own.getClass() == group.getClass() && !own.equals(NO_ADDRESS));
  }

  /**
   * Slot of the GID table for the next address.
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
   * @throws VerbsException EINVAL if it is the first one, by which the device is known, or not an
   *     address of the port
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
   * Limits the length of the packets of the port, in bytes.
   *
   * @throws VerbsException EINVAL if packets of the smallest path MTU would not fit, or the network
   *     does not carry packets of that length
   */
  public void setMtu(String verb, int bytes) {
    int least = Mtu.MTU_256.bytes() + HEADER_BYTES;
    if (bytes < least || bytes > largestBytes) {
      throw new VerbsException(
          Errno.EINVAL, verb, "MTU " + bytes + " is not " + least + " to " + largestBytes);
    }
    limitPackets(bytes);
  }

  /** GID in a slot of the table; zero if the slot is empty. */
  Gid gid(int index) {
    return index >= 0 && index < addresses.size() ? Gid.of(addresses.get(index)) : Gid.ZERO;
  }

  private List<Gid> gids() {
    return addresses.stream().map(Gid::of).toList();
  }

  public boolean isUp() {
    return isUp;
  }

  /** Takes the port up or down; returns whether its state has changed. */
  public boolean setUp(boolean up) {
    boolean changes = up != isUp && !addresses.isEmpty();
    isUp = up && !addresses.isEmpty();
    return changes;
  }

  public Mtu activeMtu() {
    return activeMtu;
  }

  /** Whether a device has a GID as address, as far as the network can tell. */
  public boolean reaches(Gid gid) {
    return fabric.reaches(gid.toAddress());
  }

  /** Whether the host can send from a GID of the port to an address at all. */
  boolean hasRoute(Gid ownGid, Gid peerGid) {
    return fabric.hasRoute(ownGid.toAddress(), peerGid.toAddress());
  }

  /** Whether Ethernet frames of applications can be sent and received. */
  public boolean isOnSegment() {
    return fabric.hasSegment();
  }

  /** MAC address of the port, made from its first IP address, which must exist. */
  public MacAddress mac() {
    return Ethernet.macOf(addresses.get(0));
  }

  /** Route of a connection to a checked address of a peer whose queue pair number is known. */
  Route routeOf(QpContext qp, AhAttr ahAttr) {
    int flowLabel = ahAttr.grh().flowLabel();
    return route(ahAttr, UdpSourcePort.of(flowLabel, qp.qpn(), qp.attributes().destQpNum()));
  }

  /**
   * Whether the source GID index of an address vector that passed its checks earlier still names a
   * usable GID. The entry of the GID table may since have been cleared, or replaced by one of the
   * other IP version.
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

  /** Route of a datagram to an address for which {@link #hasSourceFor} holds. */
  Route datagramRoute(QpContext qp, AhAttr ahAttr) {
    return route(ahAttr, UdpSourcePort.ofDatagrams(qp.qpn()));
  }

  /** Route to an address for which {@link #hasSourceFor} holds. */
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

  /** Address for an answer to a datagram ({@code ibv_init_ah_from_wc}). */
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

  /** Speed in units of 100 Mbit/s; 0 if the port is down. */
  public long speed() {
    return isUp ? LANES * LANE_SPEED : 0;
  }

  /** Entry of a slot of the GID table, which may be empty. */
  public GidEntry entry(String verb, int portNum, int index) {
    int length = profile.gidTableLength();
    if (index < 0 || index >= length) {
      throw new VerbsException(
          Errno.EINVAL, verb, "GID index " + index + " is not 0 to " + (length - 1));
    }
    return new GidEntry(gid(index), index, portNum, GidType.ROCE_V2, NO_INTERFACE);
  }

  /** Entries of the slots of the GID table that are not empty. */
  public List<GidEntry> entries(String verb, int portNum) {
    return IntStream.range(0, addresses.size())
        .mapToObj(index -> entry(verb, portNum, index))
        .filter(entry -> !entry.gid().isZero())
        .toList();
  }
}
