// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;

/** Sets options of an id, in the states in which Linux does. Under the host's lock. */
final class IdOptions {
  private static final int MAX_TRAFFIC_CLASS = 255;
  private static final int MAX_ACK_TIMEOUT = 255;

  private final String verb;
  private final EmulatedHost host;
  private final IdContext id;

  IdOptions(String verb, EmulatedHost host, IdContext id) {
    this.verb = verb;
    this.host = host;
    this.id = id;
  }

  void set(RdmaOption option) {
    if (option instanceof RdmaOption.Tos tos) {
      checkRange("TOS", tos.value(), MAX_TRAFFIC_CLASS);
      setTrafficClass(tos.value());
    } else if (option instanceof RdmaOption.ReuseAddress reuse) {
      boolean isInTime =
          id.state() == IdState.IDLE || (reuse.isOn() && id.state() != IdState.LISTEN);
      checkInTime(isInTime);
      id.reusesAddress = reuse.isOn();
    } else if (option instanceof RdmaOption.AddressFamilyOnly only) {
      checkInTime(id.state() == IdState.IDLE || id.state() == IdState.ADDR_BOUND);
      id.isForOneFamily = only.isOn();
    } else if (option instanceof RdmaOption.AckTimeout timeout) {
      checkRange("ACK_TIMEOUT", timeout.code(), MAX_ACK_TIMEOUT);
      checkAwaitsAcks();
      id.ackTimeout = timeout.code();
    } else if (option instanceof RdmaOption.IbPath path) {
      host.addressResolver().setPath(verb, id, path.path());
    }
  }

  private void checkRange(String name, int value, int most) {
    if (value < 0 || value > most) {
      throw new VerbsException(Errno.EINVAL, verb, name + " " + value + " is not 0 to " + most);
    }
  }

  /**
   * Sets the traffic class. This is never refused, but a resolved route keeps its traffic class.
   */
  private void setTrafficClass(int value) {
    boolean counts =
        id.state().compareTo(IdState.ROUTE_RESOLVED) < 0 || id.state() == IdState.LISTEN;
    if (counts) {
      id.trafficClass = value;
    }
  }

  private void checkAwaitsAcks() {
    if (id.qpType != QpType.RC && id.qpType != QpType.XRC_SEND) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "queue pairs of type " + id.qpType + " have no ACK timeout of their own");
    }
  }

  private void checkInTime(boolean isInTime) {
    if (!isInTime) {
      throw new VerbsException(Errno.EINVAL, verb, "it is too late: " + id.state().text());
    }
  }
}
