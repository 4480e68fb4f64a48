// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;

/** Work that tests let a pair do. */
final class PairWork {
  private PairWork() {}

  /** Writes from a to the memory of b, and waits until that is done. */
  static WorkCompletion write(QpPair pair, int bytes) {
    return write(pair, bytes, pair.b().memory().rkey());
  }

  static WorkCompletion write(QpPair pair, int bytes, int rkey) {
    long to = pair.b().memory().addr();
    pair.a().qp().postSend(SendWr.rdmaWrite(1, to, rkey, pair.a().sge(0, bytes)));
    return pair.a().await();
  }
}
