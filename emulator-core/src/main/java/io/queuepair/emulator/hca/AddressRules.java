// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.VerbsException;

/** Checks of address vectors, for connections and for address handles. */
public final class AddressRules {
  private static final int MAX_SERVICE_LEVEL = 15;

  private AddressRules() {}

  /**
   * Refuses an address handle whose address is invalid.
   *
   * @throws io.queuepair.verbs.VerbsException naming everything that is wrong
   */
  public static void checkHandle(String verb, AhAttr ahAttr, Ports ports) {
    ErrorCollector errors = new ErrorCollector(verb, () -> "");
    if (ahAttr == null) {
      errors.add("the address has no value");
    } else {
      check("address", ahAttr, ports, errors);
    }
    errors.throwIfAny();
  }

  /**
   * Refuses an address that is invalid or that no device has.
   *
   * @throws io.queuepair.verbs.VerbsException naming everything that is wrong; EHOSTUNREACH if no
   *     device has it
   */
  public static void checkReachable(String verb, AhAttr ahAttr, Ports ports) {
    checkHandle(verb, ahAttr, ports);
    Gid dgid = ahAttr.grh().dgid();
    if (!dgid.isMulticast() && !ports.at(ahAttr.portNum()).reaches(dgid)) {
      throw new VerbsException(Errno.EHOSTUNREACH, verb, dgid + " is not the address of a device");
    }
  }

  /**
   * Adds an error for everything that is wrong with the address vector of a connection.
   *
   * @param name name of the attribute that has the vector
   * @param portNum port that the vector must be of
   */
  static void check(String name, AhAttr ahAttr, int portNum, Ports ports, ErrorCollector errors) {
    if (ports.hasPort(ahAttr.portNum()) && ahAttr.portNum() != portNum) {
      errors.add(name + " port " + ahAttr.portNum() + " is not the port " + portNum);
    }
    check(name, ahAttr, ports, errors);
    Gid dgid = ahAttr.isGlobal() ? ahAttr.grh().dgid() : null;
    boolean isStrict = !ports.profile().has(Quirk.VALUES_UNCHECKED);
    if (isStrict && dgid != null && dgid.toAddress().isMulticastAddress()) {
      errors.add(name + " destination " + dgid + " is a multicast group");
    }
  }

  private static void check(String name, AhAttr ahAttr, Ports ports, ErrorCollector errors) {
    if (!ports.hasPort(ahAttr.portNum())) {
      errors.add(name + " port " + ahAttr.portNum() + " is not " + ports.portRange());
      return;
    }
    if (!ahAttr.isGlobal()) {
      errors.add(name + " has no global route, which RoCE requires");
      return;
    }
    boolean strict = !ports.profile().has(Quirk.VALUES_UNCHECKED);
    if (strict && (ahAttr.sl() < 0 || ahAttr.sl() > MAX_SERVICE_LEVEL)) {
      errors.add(name + " service level " + ahAttr.sl() + " is not 0 to " + MAX_SERVICE_LEVEL);
    }
    checkSource(name, ahAttr, ports, errors);
    checkDestination(name, ahAttr, ports, errors);
    checkFields(name, ahAttr.grh(), strict, errors);
  }

  private static void checkSource(String name, AhAttr ahAttr, Ports ports, ErrorCollector errors) {
    int index = ahAttr.grh().sgidIndex();
    int length = ports.profile().gidTableLength();
    if (index < 0 || index >= length) {
      errors.add(name + " GID index " + index + " is not 0 to " + (length - 1));
    } else if (ports.at(ahAttr.portNum()).gid(index).isZero()) {
      boolean saysSo = ports.profile().has(Quirk.EMPTY_GID_ENODATA);
      errors.add(
          saysSo ? Errno.ENODATA : Errno.EINVAL,
          name + " GID index " + index + " is an empty slot of port " + ahAttr.portNum());
    }
  }

  private static void checkDestination(
      String name, AhAttr ahAttr, Ports ports, ErrorCollector errors) {
    Gid dgid = ahAttr.grh().dgid();
    if (dgid == null || dgid.isZero()) {
      errors.add(name + " has no destination GID");
      return;
    }
    Port port = ports.at(ahAttr.portNum());
    int index = ahAttr.grh().sgidIndex();
    if (!port.gid(index).isZero() && dgid.isIpv4Mapped() != port.gid(index).isIpv4Mapped()) {
      errors.add(name + " mixes IPv4 and IPv6: own GID " + port.gid(index) + ", peer's " + dgid);
    }
    if (!ports.profile().has(Quirk.UNRESOLVED_ETIMEDOUT)) {
      return;
    }
    if (!port.reaches(dgid)) {
      errors.add(
          Errno.ETIMEDOUT, name + " destination " + dgid + " is not the address of a device");
    } else if (!port.gid(index).isZero() && !port.hasRoute(port.gid(index), dgid)) {
      errors.add(
          Errno.ETIMEDOUT, name + " destination " + dgid + " has no route from " + port.gid(index));
    }
  }

  private static void checkFields(
      String name, GlobalRoute route, boolean strict, ErrorCollector errors) {
    if (strict && route.flowLabel() >>> 20 != 0) {
      errors.add(name + " flow label " + route.flowLabel() + " has more than 20 bits");
    }
    if (route.hopLimit() >>> 8 != 0) {
      errors.add(name + " hop limit " + route.hopLimit() + " is not 0 to 255");
    }
    if (route.trafficClass() >>> 8 != 0) {
      errors.add(name + " traffic class " + route.trafficClass() + " is not 0 to 255");
    }
  }
}
