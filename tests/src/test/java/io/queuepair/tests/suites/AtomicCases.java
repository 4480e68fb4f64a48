// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Atomics on one word, 1 at the local side and 2 at the remote one. Alignment is checked before the
 * remote key, and the local key only when the answer comes.
 */
final class AtomicCases {
  private static final int WORD = 8;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final Set<AccessFlag> READ_AND_ATOMIC =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
  private static final Set<AccessFlag> WRITE_AND_ATOMIC =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);
  private static final Set<AccessFlag> NO_ATOMIC =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
  private static final Set<AccessFlag> NO_LOCAL_WRITE = EnumSet.of(AccessFlag.REMOTE_READ);

  private AtomicCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(
            fetchAdd(), compareSwap(), refusals(), keyMatters(), sizes(), rights(), otherSuite())
        .flatMap(List::stream);
  }

  private static void words(ConnectedPair bed) {
    ConnectedPair.setWord(bed.local(), 1);
    ConnectedPair.setWord(bed.remote(), 2);
  }

  private static void assertWords(ConnectedPair bed, long local, long remote) {
    assertThat(ConnectedPair.word(bed.local())).as("local").isEqualTo(local);
    assertThat(ConnectedPair.word(bed.remote())).as("remote").isEqualTo(remote);
  }

  private static Sge goodKey(ConnectedPair bed) {
    return bed.local().sge(0, WORD);
  }

  private static Sge badKey(ConnectedPair bed) {
    return new Sge(bed.local().addr(), WORD, (bed.local().lkey() + 10) * 5);
  }

  private static SendWr.RemoteTarget remote(ConnectedPair bed) {
    return new SendWr.RemoteTarget(bed.remote().addr(), bed.remote().rkey());
  }

  private static SendWr.RemoteTarget misaligned(ConnectedPair bed) {
    return new SendWr.RemoteTarget(bed.remote().addr() + 1, bed.remote().rkey());
  }

  private static SendWr.RemoteTarget badRkey(ConnectedPair bed) {
    return new SendWr.RemoteTarget(bed.remote().addr(), bed.remote().rkey() + 70);
  }

  private static SendWr.RemoteTarget misalignedBadRkey(ConnectedPair bed) {
    return new SendWr.RemoteTarget(bed.remote().addr() + 1, bed.remote().rkey() * 10 + 3);
  }

  private static SuiteCase row(String id, BiFunction<ConnectedPair, Long, SendWr> atomic) {
    return SuiteCase.of(id)
        .when(
            bed -> {
              words(bed);
              bed.post(atomic.apply(bed, 1L));
            });
  }

  private static SuiteCase add(String id, long add, long remote) {
    return row(id, (bed, wrId) -> SendWr.fetchAndAdd(wrId, remote(bed), add, goodKey(bed)))
        .sends("1 FETCH_ADD")
        .then(bed -> assertWords(bed, 2, remote));
  }

  private static List<SuiteCase> fetchAdd() {
    return List.of(
        add("GUT-rc_test-LoopbackRcQpTest.FetchAddNoOp", 0, 2),
        add("GUT-rc_test-LoopbackRcQpTest.FetchAddIncrementBy1", 1, 3),
        add("GUT-rc_test-LoopbackRcQpTest.FetchAddLargeIncrement", 1L << 36, 68_719_476_738L));
  }

  private static SendWr swap(ConnectedPair bed, long wrId, long compare, long swap) {
    return SendWr.compareAndSwap(wrId, remote(bed), compare, swap, goodKey(bed));
  }

  private static List<SuiteCase> compareSwap() {
    return List.of(
        row(
                "GUT-rc_test-LoopbackRcQpTest.CompareSwapNotEqualNoSwap",
                (bed, wrId) -> swap(bed, wrId, 1, 3))
            .sends("1 COMP_SWAP")
            .then(bed -> assertWords(bed, 2, 2)),
        row(
                "GUT-rc_test-LoopbackRcQpTest.CompareSwapEqualWithSwap",
                (bed, wrId) -> swap(bed, wrId, 2, 3))
            .sends("1 COMP_SWAP")
            .then(bed -> assertWords(bed, 2, 3)),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.UnsignaledCompareSwap")
            .when(
                bed -> {
                  words(bed);
                  bed.post(swap(bed, 1, 2, 3).withFlags(), swap(bed, 2, 3, 2));
                })
            .sends("2 COMP_SWAP")
            .then(bed -> assertWords(bed, 3, 2)));
  }

  private static SuiteCase refused(
      String id, String status, BiFunction<ConnectedPair, Long, SendWr> atomic) {
    return row(id, atomic).sends("1 " + status).then(bed -> assertWords(bed, 1, 2));
  }

  private static List<SuiteCase> refusals() {
    return List.of(
        refused(
            "GUT-rc_test-LoopbackRcQpTest.FetchAddUnaligned",
            "REM_INV_REQ_ERR",
            (bed, wrId) -> SendWr.fetchAndAdd(wrId, misaligned(bed), 1, goodKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.FetchAddInvalidLKeyAndInvalidRKey",
            "REM_ACCESS_ERR",
            (bed, wrId) -> SendWr.fetchAndAdd(wrId, badRkey(bed), 1, badKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.FetchAddUnalignedInvalidRKey",
            "REM_INV_REQ_ERR",
            (bed, wrId) -> SendWr.fetchAndAdd(wrId, misalignedBadRkey(bed), 1, goodKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapInvalidRKey",
            "REM_ACCESS_ERR",
            (bed, wrId) -> SendWr.compareAndSwap(wrId, badRkey(bed), 2, 3, goodKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapInvalidRKeyAndInvalidLKey",
            "REM_ACCESS_ERR",
            (bed, wrId) -> SendWr.compareAndSwap(wrId, badRkey(bed), 2, 3, badKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapUnaligned",
            "REM_INV_REQ_ERR",
            (bed, wrId) -> SendWr.compareAndSwap(wrId, misaligned(bed), 2, 3, goodKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapUnalignedInvalidRKey",
            "REM_INV_REQ_ERR",
            (bed, wrId) -> SendWr.compareAndSwap(wrId, misalignedBadRkey(bed), 2, 3, goodKey(bed))),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapUnalignedInvalidLKey",
            "REM_INV_REQ_ERR",
            (bed, wrId) -> SendWr.compareAndSwap(wrId, misaligned(bed), 2, 3, badKey(bed))),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.RemoteFatalError")
            .when(
                bed -> {
                  bed.post(
                      SendWr.compareAndSwap(1, misaligned(bed), 2, 3, goodKey(bed)), bed.write(2));
                })
            .sends("1 REM_INV_REQ_ERR", "2 WR_FLUSH_ERR")
            .then(
                bed -> {
                  bed.assertStates(QpState.ERR, QpState.ERR);
                  bed.assertRemoteFullOf('b');
                  bed.expect(List.of(), List.of());
                }));
  }

  /** The atomic was done when the local key turns out to be bad. */
  private static List<SuiteCase> keyMatters() {
    return List.of(
        row(
                "GUT-rc_test-LoopbackRcQpTest.FetchAddInvalidLKey",
                (bed, wrId) -> SendWr.fetchAndAdd(wrId, remote(bed), 1, badKey(bed)))
            .sends("1 LOC_PROT_ERR")
            .then(bed -> assertWords(bed, 1, 3)),
        row(
                "GUT-rc_test-LoopbackRcQpTest.UnsignaledFetchAddError",
                (bed, wrId) -> SendWr.fetchAndAdd(wrId, remote(bed), 1, badKey(bed)).withFlags())
            .sends("1 LOC_PROT_ERR"),
        row(
                "GUT-rc_test-LoopbackRcQpTest.CompareSwapInvalidLKey",
                (bed, wrId) -> SendWr.compareAndSwap(wrId, remote(bed), 2, 3, badKey(bed)))
            .sends("1 LOC_PROT_ERR")
            .then(bed -> assertWords(bed, 1, 3)),
        row(
                "GUT-access_test-AtomicAccessTest.MissingSrcLocalWrite",
                (bed, wrId) -> {
                  MemoryRegion source = bed.a().register(WORD, NO_LOCAL_WRITE);
                  return SendWr.fetchAndAdd(wrId, remote(bed), 1, source.sge());
                })
            .sends("1 LOC_PROT_ERR"));
  }

  private static SuiteCase refusedAtPost(String id, BiFunction<ConnectedPair, Sge, SendWr> atomic) {
    return SuiteCase.of(id)
        .when(
            bed -> {
              words(bed);
              assertThatThrownBy(() -> bed.post(atomic.apply(bed, bed.local().sge(0, WORD + 1))))
                  .isInstanceOfSatisfying(
                      BadWorkRequestException.class,
                      refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
            })
        .then(bed -> assertWords(bed, 1, 2));
  }

  private static List<SuiteCase> sizes() {
    return List.of(
        refusedAtPost(
            "GUT-rc_test-LoopbackRcQpTest.FetchAddInvalidSize",
            (bed, sge) -> SendWr.fetchAndAdd(1, remote(bed), 1, sge)),
        refusedAtPost(
            "GUT-rc_test-LoopbackRcQpTest.CompareSwapInvalidSize",
            (bed, sge) -> SendWr.compareAndSwap(1, remote(bed), 2, 3, sge)));
  }

  /** An addition to memory with these rights. */
  private static SuiteCase withRights(String id, Set<AccessFlag> rights) {
    return row(
        id,
        (bed, wrId) -> {
          MemoryRegion region = bed.b().register(WORD, rights);
          SendWr.RemoteTarget target = new SendWr.RemoteTarget(region.addr(), region.rkey());
          return SendWr.fetchAndAdd(wrId, target, 1, goodKey(bed));
        });
  }

  private static List<SuiteCase> rights() {
    return List.of(
        withRights("GUT-access_test-AtomicAccessTest.MissingDstRemoteWrite", READ_AND_ATOMIC)
            .sends("1 FETCH_ADD"),
        withRights("GUT-access_test-AtomicAccessTest.MissingDstRemoteRead", WRITE_AND_ATOMIC)
            .sends("1 FETCH_ADD"),
        withRights("GUT-access_test-AtomicAccessTest.MissingDstRemoteAtomic", NO_ATOMIC)
            .sends("1 REM_ACCESS_ERR"),
        withRights(
                "PYV-atomic-AtomicTest.atomic_invalid_mr_access",
                EnumSet.of(AccessFlag.LOCAL_WRITE))
            .sends("1 REM_ACCESS_ERR"),
        row(
                "PYV-atomic-AtomicTest.atomic_invalid_qp_access",
                (bed, wrId) -> SendWr.fetchAndAdd(wrId, remote(bed), 1, goodKey(bed)))
            .given(builder -> builder.access(EnumSet.noneOf(AccessFlag.class)))
            .sends("1 REM_INV_REQ_ERR")
            .then(bed -> assertWords(bed, 1, 2)));
  }

  /** Words full of one byte, and only one atomic at a time. */
  private static SuiteCase patterned(String id, Consumer<ConnectedPair> atomics) {
    return SuiteCase.of(id)
        .given(
            builder ->
                builder.rtr(attr -> attr.maxDestRdAtomic(1)).rts(attr -> attr.maxRdAtomic(1)))
        .bytes(WORD)
        .when(bed -> ConnectedPair.setWord(bed.remote(), ONES))
        .then(atomics);
  }

  private static List<SuiteCase> otherSuite() {
    return List.of(
        patterned(
            "PYV-atomic-AtomicTest.atomic_cmp_and_swp",
            bed -> {
              for (int i = 0; i < 10; i++) {
                bed.post(swap(bed, i, 2 * ONES, 0));
                bed.expect(List.of(i + " COMP_SWAP"), List.of());
                assertWords(bed, ONES, ONES);
              }
              bed.post(swap(bed, 11, ONES, 0));
              bed.expect(List.of("11 COMP_SWAP"), List.of());
              assertWords(bed, ONES, 0);
            }),
        patterned(
            "PYV-atomic-AtomicTest.atomic_fetch_and_add",
            bed -> {
              bed.post(SendWr.fetchAndAdd(1, remote(bed), 2 * ONES, goodKey(bed)));
              bed.expect(List.of("1 FETCH_ADD"), List.of());
              assertWords(bed, ONES, 3 * ONES);
            }),
        row(
                "PYV-atomic-AtomicTest.atomic_non_aligned_addr",
                (bed, wrId) -> {
                  MemoryRegion nine = bed.b().register(WORD + 1, ConnectedPair.ALL_RIGHTS);
                  return SendWr.fetchAndAdd(
                      wrId, new SendWr.RemoteTarget(nine.addr() + 1, nine.rkey()), 1, goodKey(bed));
                })
            .sends("1 REM_INV_REQ_ERR"));
  }
}
