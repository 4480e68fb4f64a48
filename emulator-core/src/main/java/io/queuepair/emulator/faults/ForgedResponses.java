// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import java.util.List;

/** Forges responses of a responder. */
final class ForgedResponses {
  /** Message sequence number of forged responses; requesters do not rely on it. */
  private static final int UNKNOWN_MSN = 0;

  private ForgedResponses() {}

  /** Whether a service has acknowledgements, which can be forged. */
  static boolean existIn(Service service) {
    return service == Service.RC || service == Service.XRC;
  }

  /** Makes the packet that replaces a response. */
  static Packet insteadOf(Packet packet, Effect.Forge forge) {
    int msn = packet.opcode().hasAeth() ? packet.aeth().msn() : UNKNOWN_MSN;
    return of(packet.route(), packet.bth(), forge.verdict(msn));
  }

  /** Makes the response to a request; {@code requester} is the QPN that it goes to. */
  static Packet to(Packet requestPacket, int requester, Effect.Forge forge) {
    Route route = requestPacket.route();
    Route returnRoute =
        new Route(
            /* source= */ route.destination(),
            /* destination= */ route.source(),
            route.sourcePort(),
            route.trafficClass(),
            route.hopLimit(),
            route.flowLabel());
    return of(returnRoute, requestPacket.bth().withDestQpn(requester), forge.verdict(UNKNOWN_MSN));
  }

  private static Packet of(Route route, Bth requestBth, Aeth aeth) {
    Service service = requestBth.opcode().service();
    Opcode opcode = Opcode.select(service, Operation.ACKNOWLEDGE, Position.ONLY, false, false);
    Bth bth =
        Bth.of(opcode, requestBth.destQpn(), requestBth.psn())
            .withPkey(requestBth.pkey())
            .withMigrated(requestBth.migrated());
    return new Packet(route, bth, List.of(aeth), Payload.EMPTY);
  }
}
