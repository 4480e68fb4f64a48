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
   * One port.
   *
   * @throws VerbsException EINVAL if there is no such port
   */
  public Port port(String verb, int portNum) {
    if (!hasPort(portNum)) {
      throw noSuchPort(Errno.EINVAL, verb, portNum);
    }
    return ports.get(portNum - 1);
  }

  /** An entry of the P_Key table. */
  public int pkey(String verb, int portNum, int index) {
    List<Integer> pkeys = pkeysOf(verb, portNum);
    if (index < 0 || index >= pkeys.size()) {
      throw new VerbsException(
          noPkey(), verb, "P_Key index " + index + " is not 0 to " + (pkeys.size() - 1));
    }
    return pkeys.get(index);
  }

  /** The first slot of the P_Key table that holds a key. */
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
   * Changes an entry of a P_Key table; returns whether that is a change.
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

  /** The addresses of all ports. */
  public List<InetAddress> addresses() {
    return ports.stream().flatMap(port -> port.addresses().stream()).toList();
  }

  /** Profile of the device: capabilities, limits, quirks. */
  DeviceProfile profile() {
    return profile;
  }

  boolean hasPort(int portNum) {
    return portNum >= 1 && portNum <= ports.size();
  }

  /** The port numbers there are, for a refusal. */
  String portRange() {
    return ports.size() == 1 ? "1" : "1 to " + ports.size();
  }

  /** Only of a port that exists. */
  public boolean isUp(int portNum) {
    return at(portNum).isUp();
  }

  /** Only of a port that exists. */
  public Port at(int portNum) {
    return ports.get(portNum - 1);
  }

  /** The port that has an address in any case. */
  public Port first() {
    return ports.get(0);
  }

  /** Whether a port is up, or there is none of that number: what is of no port is not refused. */
  public boolean isUpOrNone(int portNum) {
    return portNum == 0 || isUp(portNum);
  }

  /** The number of the port that has an address or, for a group, joins it; 0 if none does. */
  public int numberOf(InetAddress address) {
    for (int i = 0; i < ports.size(); i++) {
      if (ports.get(i).isFor(address)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** The way to the peer of a queue pair; null as long as its address vector is not set. */
  public @Nullable NetworkPath pathOf(QpContext qp) {
    AhAttr ahAttr = qp.attributes().ahAttr();
    return ahAttr == null ? null : path(qp, ahAttr, qp.attributes().pkeyIndex());
  }

  /** The way that its alternate path describes. */
  public NetworkPath alternateOf(QpContext qp) {
    AlternatePath path = qp.attributes().altPath();
    return path(qp, path.ahAttr(), path.pkeyIndex());
  }

  private NetworkPath path(QpContext qp, AhAttr ahAttr, int pkeyIndex) {
    Port port = ports.get(ahAttr.portNum() - 1);
    return new NetworkPath(port.routeOf(qp, ahAttr), port, pkeyIndex);
  }

  /** Whether the port of an address handle still has the own address that it names. */
  public boolean hasSourceFor(AhAttr ahAttr) {
    return ports.get(ahAttr.portNum() - 1).hasSourceFor(ahAttr);
  }

  /** The way of a datagram from a queue pair to an address that it {@link #hasSourceFor}. */
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

  /** The port of a queue pair, of which it was checked that there is one. */
  public QpPort of(QpContext qp) {
    return ports.get(qp.attributes().portNum() - 1);
  }
}
