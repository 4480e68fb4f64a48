package io.queuepair.emulator.qp;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.GlobalRoute;

/** What an address vector or handle must be: a known own GID, a destination of the same family. */
public final class AddressRules {
  private AddressRules() {}

  /**
   * What is wrong with an address, or null.
   *
   * @param name what to call it
   */
  public static String violation(String name, AhAttr address, PortFacts port) {
    if (address == null || address.grh() == null || address.grh().dgid() == null) {
      return name + " has no destination GID";
    }
    int index = address.grh().sgidIndex();
    if (index < 0 || index >= port.gids().size() || port.gids().get(index).isZero()) {
      return name + " names GID index " + index + ", which is empty";
    }
    if (address.grh().dgid().isZero()) {
      return name + " has the zero GID as destination";
    }
    String violation = routeViolation(name, address.grh());
    if (violation != null) {
      return violation;
    }
    return address.grh().dgid().isIpv4Mapped() == port.gids().get(index).isIpv4Mapped()
        ? null
        : name
            + " mixes IPv4 and IPv6: own GID "
            + port.gids().get(index)
            + ", destination "
            + address.grh().dgid();
  }

  private static String routeViolation(String name, GlobalRoute route) {
    if (route.flowLabel() >>> 20 != 0) {
      return name + " flow label " + route.flowLabel() + " has more than 20 bits";
    }
    if (route.hopLimit() >>> 8 != 0) {
      return name + " hop limit " + route.hopLimit() + " is not 0 to 255";
    }
    return route.trafficClass() >>> 8 == 0
        ? null
        : name + " traffic class " + route.trafficClass() + " is not 0 to 255";
  }
}
