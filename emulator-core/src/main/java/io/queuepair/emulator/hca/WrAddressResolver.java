// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.UdDestination;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.VerbsException;

/** Resolves the destination of requests that carry an address (UD, XRC). */
final class WrAddressResolver {
  private static final int MAX_24_BITS = 0xff_ffff;

  private final Ports ports;
  private final boolean isLiteral;
  private final boolean enforcesPort;

  WrAddressResolver(Ports ports, DeviceProfile profile) {
    this.ports = ports;
    isLiteral = profile.has(Quirk.UD_ADDRESS_UNCHECKED);
    enforcesPort = profile.can(DeviceCapFlag.UD_AV_PORT_ENFORCE);
  }

  /**
   * Resolves the destination of a request, or what it binds.
   *
   * @param place which request it is, for a refusal
   */
  void resolve(QpContext qp, SendWqe wqe, WrPosition place) {
    SendRequest request = wqe.request();
    if (request.isDatagram()) {
      wqe.setTarget(target(qp, request, place));
    }
    check24Bits("shared receive queue", request.remoteSrqn(), place);
    if (request.bind() != null) {
      wqe.setBind(MwBindChecks.of(request.bind(), place));
    }
  }

  private UdDestination target(QpContext qp, SendRequest request, WrPosition place) {
    if (request.ah() == null) {
      throw place.refusal("there is no address handle");
    }
    if (!isLiteral) {
      check24Bits("queue pair", request.remoteQpn(), place);
    }
    HcaObject.Address ah = (HcaObject.Address) request.ah();
    try {
      ah.lifecycle().check(place.verb());
    } catch (VerbsException destroyed) {
      throw place.refusal("the address handle is gone");
    }
    if (ah.ports() != ports) {
      throw place.refusal("the address handle belongs to another device");
    }
    checkPath(qp, ah.attr(), place);
    // A Q_Key with the top bit set stands for the own one of the sender.
    int qkey =
        request.remoteQkey() < 0 && !isLiteral ? qp.attributes().qkey() : request.remoteQkey();
    return new UdDestination(
        ports.datagramRoute(qp, ah.attr()), ah.domain(), request.remoteQpn() & MAX_24_BITS, qkey);
  }

  private void checkPath(QpContext qp, AhAttr address, WrPosition place) {
    int ownPort = qp.attributes().portNum(); // 0 in ERR behind RESET, where nothing is sent.
    if (enforcesPort && ownPort != 0 && address.portNum() != ownPort) {
      throw place.refusal(
          "the address handle is of port "
              + address.portNum()
              + ", the queue pair of port "
              + ownPort
              + " (UD_AV_PORT_ENFORCE)");
    }
    if (!ports.hasSourceFor(address)) {
      throw place.refusal(
          "the own address of the address handle, GID index "
              + address.grh().sgidIndex()
              + " of port "
              + address.portNum()
              + ", is gone");
    }
  }

  private static void check24Bits(String what, int number, WrPosition place) {
    if (number < 0 || number > MAX_24_BITS) {
      throw place.refusal("the " + what + " number has more than 24 bits");
    }
  }
}
