// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.VerbsException;

/** Port of a device, with the GID that a command uses. */
record DevicePort(int number, Mtu activeMtu, int gidIndex, Gid gid) {
  /** Queries a port and a GID; throws if either does not exist. */
  static DevicePort of(Context context, int number, int gidIndex) {
    int ports = context.queryDevice().physPortCnt();
    if (number > ports) {
      String noun = ports == 1 ? " port" : " ports";
      throw new CommandFailure("Couldn't get port info: the device has " + ports + noun);
    }
    Mtu activeMtu = context.queryPort(number).activeMtu();
    return new DevicePort(number, activeMtu, gidIndex, gid(context, number, gidIndex));
  }

  private static Gid gid(Context context, int number, int index) {
    Gid gid;
    try {
      gid = context.queryGid(number, index);
    } catch (VerbsException refused) {
      throw new CommandFailure(
          "can't read sgid of index " + index + ": " + refused.getMessage(), refused);
    }
    if (gid.isZero()) {
      throw new CommandFailure("can't read sgid of index " + index + ": the slot is empty");
    }
    return gid;
  }

  /** Address vector to a peer, whose address must be of the same family. */
  AhAttr wayTo(Gid peer, int serviceLevel, int hopLimit) {
    if (peer.isIpv4Mapped() != gid.isIpv4Mapped()) {
      throw new CommandFailure(
          "Couldn't connect to remote QP: one GID is IPv4, the other IPv6;"
              + " choose another GID index");
    }
    return new AhAttr(new GlobalRoute(peer, 0, gidIndex, hopLimit, 0), serviceLevel, number);
  }
}
