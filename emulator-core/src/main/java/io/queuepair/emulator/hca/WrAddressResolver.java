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
   * @param position which request it is, for a refusal
   */
  void resolve(QpContext qp, SendWqe wqe, WrPosition position) {
    SendRequest request = wqe.request();
    if (request.isDatagram()) {
      wqe.setTarget(target(qp, request, position));
    }
    check24Bits("shared receive queue", request.remoteSrqn(), position);
    if (request.bind() != null) {
      wqe.setBind(MwBindChecks.of(request.bind(), position));
    }
  }

  private UdDestination target(QpContext qp, SendRequest request, WrPosition position) {
    if (request.ah() == null) {
      throw position.refusal("there is no address handle");
    }
    if (!isLiteral) {
      check24Bits("queue pair", request.remoteQpn(), position);
    }
    HcaObject.Address ah = (HcaObject.Address) request.ah();
    try {
      ah.lifecycle().check(position.verb());
    } catch (VerbsException e) {
      throw position.refusal("the address handle is gone");
    }
    if (ah.ports() != ports) {
      throw position.refusal("the address handle belongs to another device");
    }
    checkPath(qp, ah.attr(), position);
    // A Q_Key with the top bit set stands for the own one of the sender.
    int qkey =
        request.remoteQkey() < 0 && !isLiteral ? qp.attributes().qkey() : request.remoteQkey();
    return new UdDestination(
        ports.datagramRoute(qp, ah.attr()), ah.domain(), request.remoteQpn() & MAX_24_BITS, qkey);
  }

  private void checkPath(QpContext qp, AhAttr ahAttr, WrPosition position) {
    int ownPort = qp.attributes().portNum(); // 0 in ERR behind RESET, where nothing is sent.
    if (enforcesPort && ownPort != 0 && ahAttr.portNum() != ownPort) {
      throw position.refusal(
          "the address handle is of port "
              + ahAttr.portNum()
              + ", the queue pair of port "
              + ownPort
              + " (UD_AV_PORT_ENFORCE)");
    }
    if (!ports.hasSourceFor(ahAttr)) {
      throw position.refusal(
          "the own address of the address handle, GID index "
              + ahAttr.grh().sgidIndex()
              + " of port "
              + ahAttr.portNum()
              + ", is gone");
    }
  }

  private static void check24Bits(String what, int number, WrPosition position) {
    if (number < 0 || number > MAX_24_BITS) {
      throw position.refusal("the " + what + " number has more than 24 bits");
    }
  }
}
