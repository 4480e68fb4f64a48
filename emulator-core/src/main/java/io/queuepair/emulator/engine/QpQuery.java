// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;

/** Answers {@code ibv_query_qp}, except for the PSNs, which the engine knows. */
public final class QpQuery {
  private static final int ROUTE_HOP_LIMIT = 64;

  private static final AhAttr NO_ADDRESS = new AhAttr(new GlobalRoute(Gid.ZERO, 0, 0, 0, 0), 0, 0);

  private QpQuery() {}

  /** Every attribute as it was set, the state, and the capacities that were granted. */
  public static QpAttr of(QpContext qp, DeviceProfile profile) {
    QpAttr attr = qp.attributes().toQpAttr().qpState(qp.state()).cap(qp.setup().cap());
    attr.sqDraining(qp.isDraining());
    return profile.has(Quirk.QUERY_QP_NORMALIZED)
        ? rewritten(attr, qp)
        : attr.curQpState(qp.state());
  }

  private static QpAttr rewritten(QpAttr attr, QpContext qp) {
    attr.enSqdAsyncNotify(false);
    if (attr.altPath() == null) {
      attr.altPath(new AlternatePath(NO_ADDRESS, 0, 0, 0));
    }
    if (!qp.attributes().isPathMtuGiven()) {
      attr.pathMtu(Mtu.MTU_256);
    }
    AhAttr ahAttr = attr.ahAttr();
    if (ahAttr == null) {
      return attr.ahAttr(NO_ADDRESS);
    }
    GlobalRoute grh = ahAttr.grh();
    GlobalRoute route =
        new GlobalRoute(
            grh.dgid(), grh.flowLabel(), grh.sgidIndex(), ROUTE_HOP_LIMIT, grh.trafficClass());
    return attr.ahAttr(new AhAttr(route, 0, ahAttr.portNum()));
  }
}
