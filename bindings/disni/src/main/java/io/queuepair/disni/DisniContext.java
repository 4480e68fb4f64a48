// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvContext;
import io.queuepair.verbs.Context;
import java.io.IOException;

/** An opened device. */
final class DisniContext extends IbvContext {
  private final Context context;

  DisniContext(int number, Context context) throws IOException {
    super(number, Math.max(1, context.numCompVectors()));
    this.context = context;
  }

  Context context() {
    return context;
  }
}
