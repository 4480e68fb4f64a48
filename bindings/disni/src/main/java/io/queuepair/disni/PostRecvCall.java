// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.SVCPostRecv;
import io.queuepair.verbs.RecvWr;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Receives as they were when the call was made, to be posted any number of times. */
final class PostRecvCall extends SVCPostRecv {
  private final DisniQp qp;
  private final List<RecvWr> requests = new ArrayList<>();
  private boolean isValid = true;

  PostRecvCall(DisniQp qp, List<IbvRecvWR> requests) {
    this.qp = qp;
    for (IbvRecvWR request : requests) {
      this.requests.add(
          new RecvWr(request.getWr_id(), DisniSge.toSges(DisniSge.copyOf(request.getSg_list()))));
    }
  }

  @Override
  public SVCPostRecv execute() throws IOException {
    DisniErrors.requireOpen(qp.isOpen(), "postRecv", "queue pair");
    DisniErrors.run("postRecv", () -> qp.qp().postRecv(requests));
    return this;
  }

  @Override
  public RecvWRMod getWrMod(int index) {
    return requests.get(index)::wrId;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCPostRecv free() {
    isValid = false;
    return this;
  }
}
