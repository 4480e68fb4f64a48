// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Each operation of a reliable connection in a batch of its own, through extended posting. */
final class ExtendedPostingCases {
  private static final int WORD = 8;
  private static final int IMM = 1234;

  /** All that reliable connections have. */
  private static final Set<SendOpsFlag> OPERATIONS =
      EnumSet.complementOf(EnumSet.of(SendOpsFlag.WITH_TSO));

  private ExtendedPostingCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(sends(), writes(), reads(), atomics()).flatMap(List::stream);
  }

  private static void batch(ConnectedPair bed, BiConsumer<WrBatch, ConnectedPair> requests) {
    try (WrBatch wr = bed.a().qp().toQpEx().orElseThrow().wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED).wrId(1);
      requests.accept(wr, bed);
      wr.complete();
    }
  }

  private static SuiteCase row(String name, BiConsumer<WrBatch, ConnectedPair> requests) {
    return SuiteCase.of("PYV-qpex-QpExTestCase." + name)
        .given(builder -> builder.sendOps(OPERATIONS))
        .when(
            bed -> {
              bed.receive(0, bed.remote().sge());
              batch(bed, requests);
            });
  }

  private static List<SuiteCase> sends() {
    return List.of(
        row("rc_send", (wr, bed) -> wr.send().setSge(bed.local().sge()))
            .sends("1 SEND")
            .receives("0 RECV 4096")
            .then(bed -> bed.assertRemoteFullOf('a')),
        row("rc_send", (wr, bed) -> wr.send().setInlineData(ByteBuffer.wrap(Bytes.fill(36, 'c'))))
            .variant("inline")
            .sends("1 SEND")
            .receives("0 RECV 36")
            .then(bed -> assertThat(Bytes.in(bed.remote(), 0, 36)).isEqualTo(Bytes.fill(36, 'c'))),
        row("rc_send_imm", (wr, bed) -> wr.sendImm(IMM).setSge(bed.local().sge()))
            .sends("1 SEND")
            .receives("0 RECV 4096 imm 0x000004d2")
            .then(bed -> bed.assertRemoteFullOf('a')));
  }

  private static int rkey(ConnectedPair bed) {
    return bed.remote().rkey();
  }

  private static long addr(ConnectedPair bed) {
    return bed.remote().addr();
  }

  private static List<SuiteCase> writes() {
    return List.of(
        row("rc_rdma_write", (wr, bed) -> write(wr, bed).setSge(bed.local().sge()))
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('a')),
        row("rc_rdma_write_imm", (wr, bed) -> writeImm(wr, bed).setSge(bed.local().sge()))
            .sends("1 RDMA_WRITE")
            .receives("0 RECV_RDMA_WITH_IMM 4096 imm 0x000004d2")
            .then(bed -> bed.assertRemoteFullOf('a')),
        row("rc_rdma_write_zero_size", (wr, bed) -> write(wr, bed).setSge(bed.local().sge(0, 0)))
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('b')),
        row("rc_rdma_write_zero_size", ExtendedPostingCases::write)
            .variant("without data")
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('b')));
  }

  private static WrBatch write(WrBatch wr, ConnectedPair bed) {
    return wr.rdmaWrite(rkey(bed), addr(bed));
  }

  private static WrBatch writeImm(WrBatch wr, ConnectedPair bed) {
    return wr.rdmaWriteImm(rkey(bed), addr(bed), IMM);
  }

  private static WrBatch read(WrBatch wr, ConnectedPair bed) {
    return wr.rdmaRead(rkey(bed), addr(bed));
  }

  private static List<SuiteCase> reads() {
    return List.of(
        row("rc_rdma_read", (wr, bed) -> read(wr, bed).setSge(bed.local().sge()))
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        row("rc_rdma_read_zero_size", (wr, bed) -> read(wr, bed).setSge(bed.local().sge(0, 0)))
            .sends("1 RDMA_READ 0")
            .then(bed -> bed.assertLocalFullOf('a')));
  }

  private static List<SuiteCase> atomics() {
    long there = 0x6262_6262_6262_6262L; // What a page full of 'b' starts with.
    return List.of(
        row(
                "rc_atomic_cmp_swp",
                (wr, bed) ->
                    wr.atomicCmpSwp(rkey(bed), addr(bed), there, 42)
                        .setSge(bed.local().sge(0, WORD)))
            .sends("1 COMP_SWAP")
            .then(
                bed -> {
                  assertThat(ConnectedPair.word(bed.local())).isEqualTo(there);
                  assertThat(ConnectedPair.word(bed.remote())).isEqualTo(42);
                }),
        row(
                "rc_atomic_write",
                (wr, bed) ->
                    wr.atomicWrite(rkey(bed), addr(bed), ByteBuffer.wrap(Bytes.fill(WORD, 'c'))))
            .sends("1 ATOMIC_WRITE")
            .then(
                bed -> {
                  assertThat(Bytes.in(bed.remote(), 0, WORD)).isEqualTo(Bytes.fill(WORD, 'c'));
                  assertThat(Bytes.in(bed.remote(), WORD, 1)).isEqualTo(Bytes.fill(1, 'b'));
                }));
  }
}
