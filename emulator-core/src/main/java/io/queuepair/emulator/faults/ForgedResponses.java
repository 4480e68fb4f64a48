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
  /** Message sequence number of forged answers; requesters do not rely on it. */
  private static final int UNKNOWN_MSN = 0;

  private ForgedResponses() {}

  /** Whether a service has answers of the kind that are forged. */
  static boolean existIn(Service service) {
    return service == Service.RC || service == Service.XRC;
  }

  /** Makes the packet that takes the place of an answer. */
  static Packet insteadOf(Packet answer, Effect.Forge forge) {
    int msn = answer.opcode().hasAeth() ? answer.aeth().msn() : UNKNOWN_MSN;
    return of(answer.route(), answer.bth(), forge.verdict(msn));
  }

  /** The answer to a request of a queue pair. */
  static Packet to(Packet request, int requester, Effect.Forge forge) {
    Route way = request.route();
    Route back =
        new Route(
            /* source= */ way.destination(),
            /* destination= */ way.source(),
            way.sourcePort(),
            way.trafficClass(),
            way.hopLimit(),
            way.flowLabel());
    return of(back, request.bth().withDestQpn(requester), forge.verdict(UNKNOWN_MSN));
  }

  private static Packet of(Route route, Bth model, Aeth verdict) {
    Service service = model.opcode().service();
    Opcode opcode = Opcode.select(service, Operation.ACKNOWLEDGE, Position.ONLY, false, false);
    Bth bth =
        Bth.of(opcode, model.destQpn(), model.psn())
            .withPkey(model.pkey())
            .withMigrated(model.migrated());
    return new Packet(route, bth, List.of(verdict), Payload.EMPTY);
  }
}
