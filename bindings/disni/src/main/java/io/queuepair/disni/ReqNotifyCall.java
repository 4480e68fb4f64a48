// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;

/** A request for one event of a completion queue. */
final class ReqNotifyCall extends SVCReqNotify {
  private final DisniCq cq;
  private final boolean solicitedOnly;
  private boolean isValid = true;

  ReqNotifyCall(DisniCq cq, boolean solicitedOnly) {
    this.cq = cq;
    this.solicitedOnly = solicitedOnly;
  }

  @Override
  public SVCReqNotify execute() throws IOException {
    DisniErrors.requireOpen(cq.isOpen(), "reqNotifyCQ", "completion queue");
    DisniErrors.run("reqNotifyCQ", () -> cq.cq().reqNotify(solicitedOnly));
    return this;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCReqNotify free() {
    isValid = false;
    return this;
  }
}
