// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/** The end of a registration. */
final class DeregMrCall extends SVCDeregMr {
  private final DisniMr mr;
  private boolean isValid = true;

  DeregMrCall(DisniMr mr) {
    this.mr = mr;
  }

  @Override
  public SVCDeregMr execute() throws IOException {
    DisniErrors.requireOpen(mr.isOpen(), "deregMr", "memory region");
    mr.deregister();
    return this;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCDeregMr free() {
    isValid = false;
    return this;
  }
}
