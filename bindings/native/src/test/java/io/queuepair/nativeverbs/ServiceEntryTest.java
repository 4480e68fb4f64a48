// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The thread of the network answers what cannot wait for it. */
final class ServiceEntryTest {
  @Test
  void mayWaitForTheOperatingSystemAConnectionOrWhatWasPosted() {
    assertThat(Stream.of(ServiceEntry.values()).filter(ServiceEntry::mayWait))
        .containsExactly(
            ServiceEntry.OPEN_DEVICE,
            ServiceEntry.RESIZE_CQ,
            ServiceEntry.ATTACH_MCAST,
            ServiceEntry.DETACH_MCAST,
            ServiceEntry.OPEN_RDMA_CM,
            ServiceEntry.RDMA_CM_COMMAND);
  }
}
