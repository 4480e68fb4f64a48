// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import io.queuepair.verbs.ProtectionDomain;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A protection domain. Programs look for registered memory by its handle. */
final class DisniPd extends IbvPd {
  private static final AtomicInteger HANDLES = new AtomicInteger();

  private final ProtectionDomain pd;

  DisniPd(IbvContext context, ProtectionDomain pd) throws IOException {
    super(context);
    this.pd = pd;
    handle = HANDLES.incrementAndGet();
  }

  ProtectionDomain pd() {
    return pd;
  }
}
