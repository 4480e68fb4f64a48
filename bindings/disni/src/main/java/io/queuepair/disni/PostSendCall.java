// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import io.queuepair.verbs.SendWr;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Send requests as they were when the call was made, to be posted any number of times. */
final class PostSendCall extends SVCPostSend {
  private final DisniQp qp;
  private final List<DisniSendWr> requests = new ArrayList<>();
  private boolean isValid = true;

  PostSendCall(DisniQp qp, List<IbvSendWR> requests) {
    this.qp = qp;
    requests.forEach(request -> this.requests.add(new DisniSendWr(request)));
  }

  @Override
  public SVCPostSend execute() throws IOException {
    DisniErrors.requireOpen(qp.isOpen(), "postSend", "queue pair");
    List<SendWr> posted = new ArrayList<>(requests.size());
    for (DisniSendWr request : requests) {
      posted.add(request.toSendWr());
    }
    DisniErrors.run("postSend", () -> qp.qp().postSend(posted));
    return this;
  }

  @Override
  public SendWRMod getWrMod(int index) {
    return requests.get(index);
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCPostSend free() {
    isValid = false;
    return this;
  }
}
