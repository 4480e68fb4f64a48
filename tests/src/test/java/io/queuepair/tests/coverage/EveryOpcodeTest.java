// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.XrcLoopback;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation, in one packet and in four, leaves with the opcodes that the tables of the
 * InfiniBand Architecture have for it (BTH OpCode; annex A14 for XRC), and they are taken.
 */
final class EveryOpcodeTest {
  private static final int MTU = 1024;
  private static final int SHORT = 100;
  private static final int LONG = 3 * MTU + 1;

  /** Names nothing: what is sent with it is taken, and then refused. */
  private static final int NO_KEY = 0;

  private enum OpcodeOperation {
    SEND(""),
    SEND_WITH_IMM("_WITH_IMM"),
    SEND_WITH_INV("_WITH_INVALIDATE"),
    RDMA_WRITE(""),
    RDMA_WRITE_WITH_IMM("_WITH_IMM"),
    RDMA_READ("");

    private final String suffix;

    OpcodeOperation(String suffix) {
      this.suffix = suffix;
    }

    SendWr request(MemoryRegion from, MemoryRegion to, int bytes) {
      return switch (this) {
        case SEND -> SendWr.send(1, from.sge(0, bytes));
        case SEND_WITH_IMM -> SendWr.sendWithImm(1, 42, from.sge(0, bytes));
        case SEND_WITH_INV -> SendWr.sendWithInv(1, NO_KEY, from.sge(0, bytes));
        case RDMA_WRITE -> SendWr.rdmaWrite(1, to.addr(), to.rkey(), from.sge(0, bytes));
        case RDMA_WRITE_WITH_IMM ->
            SendWr.rdmaWriteWithImm(1, to.addr(), to.rkey(), 42, from.sge(0, bytes));
        case RDMA_READ -> SendWr.rdmaRead(1, to.addr(), to.rkey(), from.sge(0, bytes));
      };
    }

    /** Opcodes that the requester sends. */
    List<String> requests(String service, int bytes) {
      return this == RDMA_READ
          ? List.of(service + "_RDMA_READ_REQUEST")
          : message(service + (name().startsWith("SEND") ? "_SEND" : "_RDMA_WRITE"), bytes);
    }

    /** Opcodes that it receives, but for acknowledgements. */
    List<String> responses(String service, int bytes) {
      return this == RDMA_READ ? message(service + "_RDMA_READ_RESPONSE", bytes) : List.of();
    }

    private List<String> message(String name, int bytes) {
      return bytes <= MTU
          ? List.of(name + "_ONLY" + suffix)
          : List.of(name + "_FIRST", name + "_MIDDLE", name + "_LAST" + suffix);
    }
  }

  static Stream<Arguments> operations() {
    List<Arguments> rows = new ArrayList<>();
    for (QpType type : List.of(QpType.RC, QpType.UC, QpType.XRC_SEND)) {
      for (OpcodeOperation operation : OpcodeOperation.values()) {
        boolean isReliableOnly =
            operation == OpcodeOperation.SEND_WITH_INV || operation == OpcodeOperation.RDMA_READ;
        if (type != QpType.UC || !isReliableOnly) {
          rows.add(Arguments.of(type, operation, SHORT));
          rows.add(Arguments.of(type, operation, LONG));
        }
      }
    }
    return rows.stream();
  }

  private static List<String> met(Context context, CoverageGroup group) {
    Map<String, Long> hits = EmulatedDevice.of(context.device()).coverage().hits(group);
    return hits.keySet().stream()
        .filter(name -> hits.get(name) > 0 && !name.endsWith("_ACKNOWLEDGE"))
        .toList();
  }

  private static void assertOpcodes(
      Context requester, Context responder, List<String> requests, List<String> responses) {
    assertThat(met(requester, CoverageGroup.OPCODE_SENT)).containsExactlyElementsOf(requests);
    assertThat(met(responder, CoverageGroup.OPCODE_RECEIVED)).containsExactlyElementsOf(requests);
    assertThat(met(responder, CoverageGroup.OPCODE_SENT)).containsExactlyElementsOf(responses);
    assertThat(met(requester, CoverageGroup.OPCODE_RECEIVED)).containsExactlyElementsOf(responses);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void leavesWithTheOpcodesOfItsTable(QpType type, OpcodeOperation operation, int bytes) {
    if (type == QpType.XRC_SEND) {
      overExtendedConnection(operation, bytes);
      return;
    }
    try (Pair pair = Pair.on(LinkForm.OBJECTS).type(type).mtu(Mtu.MTU_1024).connect()) {
      pair.b().qp().postRecv(RecvWr.of(2, pair.b().region().sge(0, LONG)));

      pair.a().qp().postSend(operation.request(pair.a().region(), pair.b().region(), bytes));
      pair.drain();

      assertOpcodes(
          pair.a().context(),
          pair.b().context(),
          operation.requests(type.name(), bytes),
          operation.responses(type.name(), bytes));
    }
  }

  private static void overExtendedConnection(OpcodeOperation operation, int bytes) {
    try (XrcLoopback bed = new XrcLoopback()) {
      XrcLoopback.XrcEndpoint from = bed.initiator();
      XrcLoopback.XrcEndpoint to = bed.owner();
      to.srq().postRecv(RecvWr.of(2, to.region().sge(0, LONG)));

      bed.initiatorQp()
          .postSend(operation.request(from.region(), to.region(), bytes).toSrq(to.srq().srqNum()));
      bed.emulator().await(from.cq());

      assertOpcodes(
          from.context(),
          to.context(),
          operation.requests("XRC", bytes),
          operation.responses("XRC", bytes));
    }
  }
}
