// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Atomics with the right keys, and with keys that name nothing. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class AtomicKeyCasesTest {
  private static final int WORD = 8;

  @Parameter private LinkForm form;
  private ConnectedPair bed;

  @BeforeEach
  void connect() {
    bed = new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), WORD);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private SendWr add(int rkey, int lkey) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(bed.remote().addr(), rkey);
    return SendWr.fetchAndAdd(1, target, 1, new Sge(bed.local().addr(), WORD, lkey));
  }

  private SendWr swap(long wrId, long compare, long swap) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(bed.remote().addr(), bed.remote().rkey());
    return SendWr.compareAndSwap(wrId, target, compare, swap, bed.local().sge());
  }

  private void assertSwapped(SendWr swap, long fetched, long left) {
    bed.post(swap);
    bed.expect(List.of(swap.wrId() + " COMP_SWAP"), List.of());

    assertThat(ConnectedPair.word(bed.local())).as("fetched").isEqualTo(fetched);
    assertThat(ConnectedPair.word(bed.remote())).as("left behind").isEqualTo(left);
  }

  @Test
  @Tag("test_atomic.AtomicTest.test_atomic_cmp_and_swap")
  void onlyTheNumberExpectedIsSwapped() {
    ConnectedPair.setWord(bed.remote(), 5);

    assertSwapped(swap(1, 4, 9), 5, 5);
    assertSwapped(swap(2, 5, 9), 5, 9);
  }

  @Test
  @Tag("test_atomic.AtomicTest.test_atomic_invalid_lkey")
  void aWrongLocalKeyFailsTheAtomic() {
    bed.post(add(bed.remote().rkey(), bed.local().lkey() + 1));

    bed.expect(List.of("1 LOC_PROT_ERR"), List.of());
  }

  @Test
  @Tag("test_atomic.AtomicTest.test_atomic_invalid_rkey")
  void aWrongRemoteKeyFailsTheAtomicAndChangesNothing() {
    bed.post(add(bed.remote().rkey() + 1, bed.local().lkey()));

    bed.expect(List.of("1 REM_ACCESS_ERR"), List.of());
    bed.assertRemoteFullOf('b');
  }
}
