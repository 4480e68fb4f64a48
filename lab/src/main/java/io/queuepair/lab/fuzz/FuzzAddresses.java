// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;

/** Who is where. Over IPv6 the packet check covers nothing that a receiver cannot see. */
final class FuzzAddresses {
  static final String TARGET = "fd00::1";
  static final String TARGET_TOO = "fd00::11";
  static final String TARGET_PORT_2 = "fd00::12";
  static final String NEIGHBOUR = "fd00::3";

  private static final long PREFIX = 0xfd00_0000_0000_0000L;

  private final InetAddress first = new Gid(PREFIX, 1).toAddress();
  private final InetAddress second = new Gid(PREFIX, 0x11).toAddress();
  private final InetAddress ofPort2 = new Gid(PREFIX, 0x12).toAddress();
  private final InetAddress simulatedPeer = new Gid(PREFIX, 2).toAddress();
  private final InetAddress neighbour = new Gid(PREFIX, 3).toAddress();
  private final InetAddress stranger = new Gid(PREFIX, 4).toAddress();
  private final InetAddress group = QpsUnderTest.GROUP.toAddress();
  private final InetAddress otherGroup =
      new Gid(QpsUnderTest.GROUP.subnetPrefix(), 0x9999).toAddress();

  /** The address that a queue pair under test uses. */
  InetAddress of(QpUnderTest subject) {
    return subject.hookup().gidIndex() == 0 ? first : second;
  }

  /** The first address of the device under fire. */
  InetAddress target() {
    return first;
  }

  /** The address of a port that no queue pair under test uses. */
  InetAddress ofPort2() {
    return ofPort2;
  }

  /** The peer of all queue pairs under test, which is no device. */
  InetAddress simulatedPeer() {
    return simulatedPeer;
  }

  /** The other device, whose connections work on. */
  InetAddress neighbour() {
    return neighbour;
  }

  /** The peer of no queue pair. */
  InetAddress stranger() {
    return stranger;
  }

  InetAddress group() {
    return group;
  }

  /** A group without members. */
  InetAddress otherGroup() {
    return otherGroup;
  }
}
