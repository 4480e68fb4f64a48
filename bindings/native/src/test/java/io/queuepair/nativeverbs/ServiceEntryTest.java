// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The thread of the network answers what cannot wait for it. */
final class ServiceEntryTest {
  private final HandleTable objects = new HandleTable();
  private final OpenFile file = new OpenFile(objects, null, -1, 0);

  @Test
  void mayWaitForTheOperatingSystemAConnectionOrWhatWasPosted() {
    assertThat(Stream.of(ServiceEntry.values()).filter(each -> each.mayWait(0, null)))
        .containsExactly(
            ServiceEntry.OPEN_DEVICE,
            ServiceEntry.RESIZE_CQ,
            ServiceEntry.ATTACH_MCAST,
            ServiceEntry.DETACH_MCAST,
            ServiceEntry.OPEN_RDMA_CM,
            ServiceEntry.RDMA_CM_COMMAND);
  }

  @Test
  void mayWaitAtTheEndOfAFileOnly() {
    try (Emulator emulator = Emulator.inMemory();
        Context context = emulator.addDevice("10.0.0.1").open()) {
      CompletionQueue cq = context.createCq(1, null, 0);
      QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(1)));

      assertThat(ServiceEntry.CLOSE.mayWait(file.open(context), file)).isTrue();
      assertThat(ServiceEntry.CLOSE.mayWait(objects.add(file, qp), file)).isFalse();
    }
  }
}
