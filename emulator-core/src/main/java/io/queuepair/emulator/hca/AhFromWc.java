// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.wire.Grh;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;

/** The address to answer a datagram to, from its GRH ({@code ibv_init_ah_from_wc}). */
final class AhFromWc {
  private AhFromWc() {}

  static AhAttr of(
      String verb, WorkCompletion completion, ByteBuffer grh, List<Gid> ownGids, int portNum) {
    if (!completion.wcFlags().contains(WcFlag.GRH)) {
      throw new VerbsException(Errno.EINVAL, verb, "the completion says that there is no GRH");
    }
    if (grh.remaining() < Grh.BYTES) {
      throw new VerbsException(
          Errno.EINVAL, verb, grh.remaining() + " bytes are no GRH: that takes " + Grh.BYTES);
    }
    Route route = Grh.routeOf(grh);
    if (route == null) {
      throw new VerbsException(
          Errno.EPROTONOSUPPORT, verb, "the 40 bytes hold neither an IPv4 nor an IPv6 header");
    }
    if (route.destination().isMulticastAddress()) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "the datagram was sent to the group "
              + Gid.of(route.destination())
              + ", which does not say which GID to answer from");
    }
    int sgidIndex = ownGids.indexOf(Gid.of(route.destination()));
    if (sgidIndex < 0) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "the datagram was sent to " + Gid.of(route.destination()) + ", no GID of the port");
    }
    return of(route, sgidIndex, portNum);
  }

  /** Address of the sender of a packet that came by a route. */
  static AhAttr of(Route route, int sgidIndex, int portNum) {
    GlobalRoute returnRoute =
        new GlobalRoute(
            Gid.of(route.source()),
            route.flowLabel(),
            sgidIndex,
            route.hopLimit(),
            route.trafficClass());
    return new AhAttr(returnRoute, 0, portNum);
  }
}
