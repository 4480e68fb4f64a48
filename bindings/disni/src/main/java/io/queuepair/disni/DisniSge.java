// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.List;

/** A scatter/gather entry of a call, which the program may change between executions. */
final class DisniSge extends IbvSge implements SVCPostSend.SgeMod {
  private DisniSge(IbvSge sge) {
    addr = sge.getAddr();
    length = sge.getLength();
    lkey = sge.getLkey();
  }

  /**
   * Copies entries.
   *
   * @param entries of a request, or null for none
   */
  static List<DisniSge> copyOf(List<IbvSge> entries) {
    List<DisniSge> copies = new ArrayList<>();
    if (entries != null) {
      entries.forEach(entry -> copies.add(new DisniSge(entry)));
    }
    return copies;
  }

  static List<Sge> toSges(List<DisniSge> entries) {
    List<Sge> sges = new ArrayList<>(entries.size());
    for (DisniSge entry : entries) {
      sges.add(new Sge(entry.addr, entry.length, entry.lkey));
    }
    return sges;
  }
}
