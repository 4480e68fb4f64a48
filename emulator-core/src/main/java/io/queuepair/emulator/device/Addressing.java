package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.qp.RequestPlace;
import io.queuepair.emulator.queue.DatagramTarget;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.BindMw;
import io.queuepair.verbs.DatagramWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcWr;

/** Finds out where a request goes that is addressed itself. */
final class Addressing {
  private static final int MAX_24_BITS = 0xff_ffff;

  private final Ports ports;
  private final boolean isLiteral;

  Addressing(Ports ports, DeviceProfile profile) {
    this.ports = ports;
    isLiteral = profile.has(Quirk.DATAGRAM_TARGETS_LITERAL);
  }

  static SendWr withoutAddress(SendWr wr) {
    if (wr instanceof DatagramWr datagram) {
      return datagram.wr();
    }
    return wr instanceof XrcWr xrc ? xrc.wr() : wr;
  }

  /**
   * The address of a request.
   *
   * @param place which request it is, for a refusal
   */
  SendWqe.Address of(QpContext qp, SendWr wr, RequestPlace place) {
    SendWqe.Address address = peerOf(qp, wr, place);
    return withoutAddress(wr) instanceof BindMw bind
        ? address.withBind(WindowBinds.of(bind, place))
        : address;
  }

  private SendWqe.Address peerOf(QpContext qp, SendWr wr, RequestPlace place) {
    if (wr instanceof DatagramWr datagram) {
      return new SendWqe.Address(target(qp, datagram, place), 0, null);
    }
    if (wr instanceof XrcWr xrc) {
      check24Bits("shared receive queue", xrc.remoteSrqn(), place);
      return new SendWqe.Address(null, xrc.remoteSrqn(), null);
    }
    return SendWqe.Address.PEER;
  }

  private DatagramTarget target(QpContext qp, DatagramWr wr, RequestPlace place) {
    if (wr.ah() == null) {
      throw place.refusal("there is no address handle");
    }
    if (!isLiteral) {
      check24Bits("queue pair", wr.remoteQpn(), place);
    }
    EmulatedAddressHandle ah = (EmulatedAddressHandle) wr.ah();
    try {
      ah.lifetime().check(place.verb());
    } catch (VerbsException destroyed) {
      throw place.refusal("the address handle is gone");
    }
    if (ah.ports() != ports) {
      throw place.refusal("the address handle belongs to another device");
    }
    // A Q_Key with the top bit set stands for the own one of the sender.
    int qkey = wr.remoteQkey() < 0 && !isLiteral ? qp.attributes().qkey() : wr.remoteQkey();
    return new DatagramTarget(
        ports.datagramRoute(qp, ah.attr()),
        ah.emulatedPd().number(),
        wr.remoteQpn() & MAX_24_BITS,
        qkey);
  }

  private static void check24Bits(String what, int number, RequestPlace place) {
    if (number < 0 || number > MAX_24_BITS) {
      throw place.refusal("the " + what + " number has more than 24 bits");
    }
  }
}
