// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import java.util.List;

/**
 * Packets made by hand, in one direction. Requests that end a message ask for an acknowledgement.
 */
record PacketMaker(Route route, int destQpn) {
  Packet of(Opcode opcode, int psn, byte[] payload, ExtensionHeader... headers) {
    boolean wantsAck = opcode.isRequest() && opcode.position().endsMessage();
    return packet(opcode, psn, wantsAck, payload, headers);
  }

  /** Makes a packet without the acknowledge request bit. */
  Packet quiet(Opcode opcode, int psn, byte[] payload, ExtensionHeader... headers) {
    return packet(opcode, psn, false, payload, headers);
  }

  private Packet packet(
      Opcode opcode, int psn, boolean wantsAck, byte[] payload, ExtensionHeader... headers) {
    Bth bth = Bth.of(opcode, destQpn, psn).withAckRequest(wantsAck);
    return new Packet(route, bth, List.of(headers), Payload.of(payload));
  }

  Packet sendOnly(int psn, byte[] payload) {
    return of(Opcode.RC_SEND_ONLY, psn, payload);
  }

  Packet writeOnly(int psn, Reth target, byte[] payload) {
    return of(Opcode.RC_RDMA_WRITE_ONLY, psn, payload, target);
  }

  Packet writeOnlyWithImm(int psn, Reth target, int immediate, byte[] payload) {
    return of(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, psn, payload, target, new ImmDt(immediate));
  }

  Packet readRequest(int psn, Reth source) {
    return of(Opcode.RC_RDMA_READ_REQUEST, psn, new byte[0], source);
  }

  /** A READ response packet; middle ones have no AETH. */
  Packet readResponse(Opcode opcode, int psn, int msn, byte[] payload) {
    return opcode == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE
        ? of(opcode, psn, payload)
        : of(opcode, psn, payload, Aeth.ack(msn));
  }

  Packet ack(int psn, int msn) {
    return acknowledge(psn, 0x1f, msn);
  }

  /** An acknowledge packet of any syndrome: 0x60 PSN, 0x61 request, 0x62 access, 0x63 operation. */
  Packet acknowledge(int psn, int syndrome, int msn) {
    return of(Opcode.RC_ACKNOWLEDGE, psn, new byte[0], new Aeth(syndrome, msn));
  }
}
