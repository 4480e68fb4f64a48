// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.emulator.engine.MulticastGroups;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;

/** The verbs on flows and multicast groups. */
public final class SteeringVerbs {
  private final DeviceProfile profile;
  private final Ports ports;
  private final Engine engine;

  SteeringVerbs(DeviceProfile profile, Ports ports, Engine engine) {
    this.profile = profile;
    this.ports = ports;
    this.engine = engine;
  }

  public FlowTable.Rule createFlow(String verb, QpEngine qpEngine, FlowAttr attr) {
    CreationRules.checkOffered(verb, profile);
    FlowRules.check(qpEngine.qp(), attr, ports);
    return engine.flows().add(qpEngine, attr);
  }

  /**
   * Attaches a queue pair to a multicast group.
   *
   * @return false if it was attached already
   */
  public boolean attachMcast(String verb, QpEngine qpEngine, Gid mgid) {
    checkMulticast(verb, qpEngine.qp().type(), mgid);
    MulticastGroups groups = engine.groups();
    if (groups.contains(mgid, qpEngine)) {
      return false;
    }
    if (groups.sizeOf(mgid) == 0) {
      CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_MCAST_GRP, groups.size());
    }
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_MCAST_QP_ATTACH, groups.sizeOf(mgid));
    CreationRules.checkRoom(
        verb, profile, DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, groups.attachments());
    groups.attach(mgid, qpEngine);
    return true;
  }

  public void checkAttached(String verb, QpEngine qpEngine, Gid mgid) {
    checkMulticast(verb, qpEngine.qp().type(), mgid);
    if (!engine.groups().contains(mgid, qpEngine)) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the queue pair is not attached to the group " + mgid);
    }
  }

  /** Refuses queue pairs that are not of type UD, and GIDs that are not multicast. */
  private static void checkMulticast(String verb, QpType type, Gid mgid) {
    if (type != QpType.UD) {
      throw new VerbsException(
          Errno.EINVAL, verb, "type " + type + " receives no multicast: only UD does");
    }
    if (!mgid.isMulticast()) {
      throw new VerbsException(Errno.EINVAL, verb, mgid + " is no multicast GID");
    }
  }
}
