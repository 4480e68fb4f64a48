package io.queuepair.tools.fuzz;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;

/** Who is where. Over IPv6 the packet check covers nothing that a receiver cannot see. */
final class Addresses {
  static final String TARGET = "fd00::1";
  static final String TARGET_TOO = "fd00::11";
  static final String TARGET_PORT_2 = "fd00::12";
  static final String NEIGHBOUR = "fd00::3";

  private static final long PREFIX = 0xfd00_0000_0000_0000L;

  private final InetAddress first = new Gid(PREFIX, 1).toAddress();
  private final InetAddress second = new Gid(PREFIX, 0x11).toAddress();
  private final InetAddress ofPort2 = new Gid(PREFIX, 0x12).toAddress();
  private final InetAddress phantom = new Gid(PREFIX, 2).toAddress();
  private final InetAddress stranger = new Gid(PREFIX, 4).toAddress();
  private final InetAddress group = Victims.GROUP.toAddress();
  private final InetAddress otherGroup = new Gid(Victims.GROUP.subnetPrefix(), 0x9999).toAddress();

  /** The address that a victim uses. */
  InetAddress of(Victim victim) {
    return victim.hookup().gidIndex() == 0 ? first : second;
  }

  /** The first address of the device under fire. */
  InetAddress target() {
    return first;
  }

  /** The address of a port that no victim uses. */
  InetAddress ofPort2() {
    return ofPort2;
  }

  /** The peer of all victims, which is no device. */
  InetAddress phantom() {
    return phantom;
  }

  /** Nobody's peer. */
  InetAddress stranger() {
    return stranger;
  }

  InetAddress group() {
    return group;
  }

  /** A group that nobody is a member of. */
  InetAddress otherGroup() {
    return otherGroup;
  }
}
