// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmEventType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The events, which rdma_cma.h of rdma-core numbers from 0 in this order. */
final class EventCodesTest {
  private static final List<String> IN_C =
      """
      ADDR_RESOLVED ADDR_ERROR ROUTE_RESOLVED ROUTE_ERROR CONNECT_REQUEST CONNECT_RESPONSE
      CONNECT_ERROR UNREACHABLE REJECTED ESTABLISHED DISCONNECTED DEVICE_REMOVAL
      MULTICAST_JOIN MULTICAST_ERROR ADDR_CHANGE TIMEWAIT_EXIT ADDRINFO_RESOLVED
      ADDRINFO_ERROR USER INTERNAL
      """
          .lines()
          .flatMap(line -> Stream.of(line.split(" ")))
          .map("RDMA_CM_EVENT_"::concat)
          .toList();

  @Test
  void areNumberedAsInC() {
    for (RdmaCmEventType type : RdmaCmEventType.values()) {
      assertThat("RDMA_CM_EVENT_" + type.name()).isEqualTo(IN_C.get(type.code()));
    }
    assertThat(RdmaCmEventType.values()).hasSameSizeAs(IN_C);
  }

  /** {@code rdma_event_str} knows no name of the last two. */
  @Test
  void haveTheTextsOfC() {
    Stream<String> texts = Stream.of(RdmaCmEventType.values()).map(RdmaCmEventType::text);

    assertThat(texts)
        .startsWith(IN_C.subList(0, 18).toArray(String[]::new))
        .endsWith("UNKNOWN EVENT", "UNKNOWN EVENT");
  }
}
