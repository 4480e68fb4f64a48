package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.VerbsException;

/** What is checked of an address vector: that of a connection, or that of an address handle. */
public final class AddressRules {
  private static final int MAX_SERVICE_LEVEL = 15;

  private AddressRules() {}

  /**
   * Refuses an address handle to what is not an address.
   *
   * @throws io.queuepair.verbs.VerbsException naming everything that is wrong
   */
  public static void checkHandle(String verb, AhAttr address, DeviceFacts device) {
    Refusal refusal = new Refusal(verb, "");
    if (address == null) {
      refusal.object("the address has no value");
    } else {
      check("address", address, device, refusal);
    }
    refusal.throwIfAny();
  }

  /**
   * Refuses an address that nobody has.
   *
   * @throws io.queuepair.verbs.VerbsException naming everything that is wrong with it
   */
  public static void checkReachable(String verb, AhAttr address, DeviceFacts device) {
    checkHandle(verb, address, device);
    Gid dgid = address.grh().dgid();
    if (!dgid.isMulticast() && !device.port(address.portNum()).reaches().test(dgid)) {
      throw new VerbsException(Errno.EHOSTUNREACH, verb, dgid + " is nobody's address");
    }
  }

  /**
   * Objects to what is wrong with the address vector of a connection.
   *
   * @param name of the attribute it belongs to
   * @param portNum the port it must be of
   */
  static void check(String name, AhAttr address, int portNum, DeviceFacts device, Refusal refusal) {
    if (device.hasPort(address.portNum()) && address.portNum() != portNum) {
      refusal.object(name + " port " + address.portNum() + " is not the port " + portNum);
    }
    check(name, address, device, refusal);
    Gid dgid = address.isGlobal() ? address.grh().dgid() : null;
    boolean isStrict = !device.profile().has(Quirk.VALUES_UNCHECKED);
    if (isStrict && dgid != null && dgid.toAddress().isMulticastAddress()) {
      refusal.object(name + " destination " + dgid + " is a multicast group");
    }
  }

  private static void check(String name, AhAttr address, DeviceFacts device, Refusal refusal) {
    if (!device.hasPort(address.portNum())) {
      refusal.object(name + " port " + address.portNum() + " is not " + device.portRange());
      return;
    }
    if (!address.isGlobal()) {
      refusal.object(name + " has no global route, which RoCE requires");
      return;
    }
    boolean strict = !device.profile().has(Quirk.VALUES_UNCHECKED);
    if (strict && (address.sl() < 0 || address.sl() > MAX_SERVICE_LEVEL)) {
      refusal.object(name + " service level " + address.sl() + " is not 0 to " + MAX_SERVICE_LEVEL);
    }
    checkSource(name, address, device, refusal);
    checkDestination(name, address, device, refusal);
    checkFields(name, address.grh(), strict, refusal);
  }

  private static void checkSource(
      String name, AhAttr address, DeviceFacts device, Refusal refusal) {
    int index = address.grh().sgidIndex();
    int length = device.profile().gidTableLength();
    if (index < 0 || index >= length) {
      refusal.object(name + " GID index " + index + " is not 0 to " + (length - 1));
    } else if (!device.port(address.portNum()).hasGid(index)) {
      boolean saysSo = device.profile().has(Quirk.EMPTY_GID_ENODATA);
      refusal.object(
          saysSo ? Errno.ENODATA : Errno.EINVAL,
          name + " GID index " + index + " is an empty slot of port " + address.portNum());
    }
  }

  private static void checkDestination(
      String name, AhAttr address, DeviceFacts device, Refusal refusal) {
    Gid dgid = address.grh().dgid();
    if (dgid == null || dgid.isZero()) {
      refusal.object(name + " has no destination GID");
      return;
    }
    PortFacts port = device.port(address.portNum());
    int index = address.grh().sgidIndex();
    if (port.hasGid(index) && dgid.isIpv4Mapped() != port.gids().get(index).isIpv4Mapped()) {
      refusal.object(
          name + " mixes IPv4 and IPv6: own GID " + port.gids().get(index) + ", peer's " + dgid);
    }
    if (device.profile().has(Quirk.UNRESOLVED_ETIMEDOUT) && !port.reaches().test(dgid)) {
      refusal.object(Errno.ETIMEDOUT, name + " destination " + dgid + " is nobody's address");
    }
  }

  private static void checkFields(String name, GlobalRoute route, boolean strict, Refusal refusal) {
    if (strict && route.flowLabel() >>> 20 != 0) {
      refusal.object(name + " flow label " + route.flowLabel() + " has more than 20 bits");
    }
    if (route.hopLimit() >>> 8 != 0) {
      refusal.object(name + " hop limit " + route.hopLimit() + " is not 0 to 255");
    }
    if (route.trafficClass() >>> 8 != 0) {
      refusal.object(name + " traffic class " + route.trafficClass() + " is not 0 to 255");
    }
  }
}
