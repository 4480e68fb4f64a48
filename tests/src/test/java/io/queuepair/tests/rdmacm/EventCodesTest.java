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
      List.of(
          "RDMA_CM_EVENT_ADDR_RESOLVED",
          "RDMA_CM_EVENT_ADDR_ERROR",
          "RDMA_CM_EVENT_ROUTE_RESOLVED",
          "RDMA_CM_EVENT_ROUTE_ERROR",
          "RDMA_CM_EVENT_CONNECT_REQUEST",
          "RDMA_CM_EVENT_CONNECT_RESPONSE",
          "RDMA_CM_EVENT_CONNECT_ERROR",
          "RDMA_CM_EVENT_UNREACHABLE",
          "RDMA_CM_EVENT_REJECTED",
          "RDMA_CM_EVENT_ESTABLISHED",
          "RDMA_CM_EVENT_DISCONNECTED",
          "RDMA_CM_EVENT_DEVICE_REMOVAL",
          "RDMA_CM_EVENT_MULTICAST_JOIN",
          "RDMA_CM_EVENT_MULTICAST_ERROR",
          "RDMA_CM_EVENT_ADDR_CHANGE",
          "RDMA_CM_EVENT_TIMEWAIT_EXIT",
          "RDMA_CM_EVENT_ADDRINFO_RESOLVED",
          "RDMA_CM_EVENT_ADDRINFO_ERROR",
          "RDMA_CM_EVENT_USER",
          "RDMA_CM_EVENT_INTERNAL");

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
