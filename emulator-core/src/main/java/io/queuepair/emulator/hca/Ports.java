// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Gsi;
import io.queuepair.emulator.engine.NetworkPath;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpPort;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ports of a device, numbered from 1. */
public final class Ports implements Gsi.MadRoutes {
  private final DeviceProfile profile;
  private final List<Port> ports;

  public Ports(DeviceProfile profile, List<Port> ports) {
    this.profile = profile;
    this.ports = List.copyOf(ports);
  }

  /**
   * Port by number.
   *
   * @throws VerbsException EINVAL if there is no such port
   */
  public Port port(String verb, int portNum) {
    if (!hasPort(portNum)) {
      throw noSuchPort(Errno.EINVAL, verb, portNum);
    }
    return ports.get(portNum - 1);
  }

  public int pkey(String verb, int portNum, int index) {
    List<Integer> pkeys = pkeysOf(verb, portNum);
    if (index < 0 || index >= pkeys.size()) {
      throw new VerbsException(
          noPkey(), verb, "P_Key index " + index + " is not 0 to " + (pkeys.size() - 1));
    }
    return pkeys.get(index);
  }

  /** First slot of the P_Key table of a port that holds a P_Key. */
  public int pkeyIndex(String verb, int portNum, int pkey) {
    int index = pkeysOf(verb, portNum).indexOf(pkey);
    if (index < 0) {
      String hex = String.format("0x%04x", pkey);
      throw new VerbsException(
          noPkey(), verb, "no slot of port " + portNum + " holds the P_Key " + hex);
    }
    return index;
  }

  private List<Integer> pkeysOf(String verb, int portNum) {
    if (!hasPort(portNum)) {
      throw noSuchPort(noPkey(), verb, portNum);
    }
    return ports.get(portNum - 1).pkeys();
  }

  /**
   * Puts a P_Key into a slot of the table of a port; returns whether the P_Key has changed.
   *
   * @throws VerbsException EINVAL if there is no such port or slot, or the key has more than 16
   *     bits
   */
  public boolean setPkey(String verb, int portNum, int index, int pkey) {
    Port port = port(verb, portNum);
    int slots = port.pkeys().size();
    if (index < 0 || index >= slots) {
      throw new VerbsException(
          Errno.EINVAL, verb, "P_Key index " + index + " is not 0 to " + (slots - 1));
    }
    if (pkey >>> 16 != 0) {
      throw new VerbsException(Errno.EINVAL, verb, "P_Key " + pkey + " has more than 16 bits");
    }
    return port.setPkey(index, pkey);
  }

  private Errno noPkey() {
    return profile.has(Quirk.QUERY_PKEY_ENOENT) ? Errno.ENOENT : Errno.EINVAL;
  }

  private VerbsException noSuchPort(Errno errno, String verb, int portNum) {
    return new VerbsException(errno, verb, "port " + portNum + " is not " + portRange());
  }

  public List<InetAddress> addresses() {
    return ports.stream().flatMap(port -> port.addresses().stream()).toList();
  }

  DeviceProfile profile() {
    return profile;
  }

  boolean hasPort(int portNum) {
    return portNum >= 1 && portNum <= ports.size();
  }

  String portRange() {
    return ports.size() == 1 ? "1" : "1 to " + ports.size();
  }

  /** Whether a port is up; the port must exist. */
  public boolean isUp(int portNum) {
    return at(portNum).isUp();
  }

  /** Port by number; it must exist. */
  public Port at(int portNum) {
    return ports.get(portNum - 1);
  }

  /** Port 1, which always has an address. */
  public Port first() {
    return ports.get(0);
  }

  /** Whether a port is up; true for 0, which stands for no port. */
  public boolean isUpOrNone(int portNum) {
    return portNum == 0 || isUp(portNum);
  }

  /** Number of the port that has an address or, for a group, joins it; 0 if there is none. */
  public int numberOf(InetAddress address) {
    for (int i = 0; i < ports.size(); i++) {
      if (ports.get(i).isFor(address)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Path to the peer of a queue pair; null until its address vector is set. */
  public @Nullable NetworkPath pathOf(QpContext qp) {
    AhAttr ahAttr = qp.attributes().ahAttr();
    return ahAttr == null ? null : path(qp, ahAttr, qp.attributes().pkeyIndex());
  }

  public NetworkPath alternateOf(QpContext qp) {
    AlternatePath path = qp.attributes().altPath();
    return path(qp, path.ahAttr(), path.pkeyIndex());
  }

  private NetworkPath path(QpContext qp, AhAttr ahAttr, int pkeyIndex) {
    Port port = ports.get(ahAttr.portNum() - 1);
    return new NetworkPath(port.routeOf(qp, ahAttr), port, pkeyIndex);
  }

  /** Whether the port of an address handle still has the source address of the handle. */
  public boolean hasSourceFor(AhAttr ahAttr) {
    return ports.get(ahAttr.portNum() - 1).hasSourceFor(ahAttr);
  }

  public Route datagramRoute(QpContext qp, AhAttr ahAttr) {
    return ports.get(ahAttr.portNum() - 1).datagramRoute(qp, ahAttr);
  }

  @Override
  public @Nullable Route routeTo(AhAttr ahAttr) {
    Port port = ports.get(ahAttr.portNum() - 1);
    return port.hasSourceFor(ahAttr) ? port.route(ahAttr, Gsi.UDP_SOURCE_PORT) : null;
  }

  @Override
  public AhAttr answerTo(Route route, int portNum) {
    int sgidIndex = ports.get(portNum - 1).addresses().indexOf(route.destination());
    return AhFromWc.of(route, sgidIndex, portNum);
  }

  /** Port of a queue pair, whose port number was checked. */
  public QpPort of(QpContext qp) {
    return ports.get(qp.attributes().portNum() - 1);
  }
}
