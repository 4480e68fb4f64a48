// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows where the suites do not look: keys, edges, errnos, and what failures say. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class WindowTest {
  private static final int LENGTH = 64;
  private static final int FIRST = 128;
  private static final Set<SendFlag> SIGNALED = EnumSet.of(SendFlag.SIGNALED);
  private static final Set<AccessFlag> ZERO_BASED =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.ZERO_BASED);

  private final LinkForm form;
  @AutoClose private final Pair pair;
  private final TestEndpoint a;
  private final TestEndpoint b;
  private final MemoryRegion memory;

  WindowTest(LinkForm form) {
    this.form = form;
    pair = Pair.connected(form);
    a = pair.a();
    b = pair.b();
    memory = b.register(4096, Window.BINDABLE);
  }

  /** Some bytes in the middle of the memory. */
  private MwBindInfo middle(Set<AccessFlag> rights) {
    return Window.over(memory, FIRST, LENGTH, rights);
  }

  private Window bound(MwType type, Set<AccessFlag> rights) {
    return Window.bound(pair, b, type, middle(rights));
  }

  private List<String> write(long addr, int rkey, int bytes) {
    a.qp().postSend(SendWr.rdmaWrite(1, addr, rkey, a.region().sge(0, bytes)));
    pair.drain();
    return a.sends();
  }

  private void assertUntouched() {
    assertThat(Bytes.in(memory, 0, memory.length())).containsOnly(TestEndpoint.FILL);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -8, -LENGTH, 1, 8, LENGTH, Long.MAX_VALUE, Long.MIN_VALUE})
  void nothingIsWrittenOutsideAZeroBasedWindow(long addr) {
    Window window = bound(MwType.TYPE_2, ZERO_BASED);

    assertThat(write(addr, window.rkey(), LENGTH)).containsExactly("1 REM_ACCESS_ERR");
    assertUntouched();
  }

  @Test
  void aZeroBasedWindowIsWrittenFromEndToEnd() {
    Window window = bound(MwType.TYPE_2, ZERO_BASED);
    Bytes.into(a.region(), 0, Bytes.fill(LENGTH, 'x'));

    assertThat(write(0, window.rkey(), LENGTH)).containsExactly("1 RDMA_WRITE");

    assertThat(Bytes.in(memory, FIRST, LENGTH)).containsOnly('x');
    Bytes.into(memory, FIRST, Bytes.fill(LENGTH, TestEndpoint.FILL));
    assertUntouched();
  }

  @Test
  void aWriteOfManyPacketsThatEndsOutsideWritesNothing() {
    Window window =
        Window.bound(pair, b, MwType.TYPE_1, Window.over(memory, 0, 4095, Window.ALL_REMOTE));

    assertThat(write(memory.addr(), window.rkey(), 4096)).containsExactly("1 REM_ACCESS_ERR");
    assertUntouched();
  }

  @Test
  void theNextKeyIsKnownAtOnceAndInEffectWithTheBind() {
    Window former = bound(MwType.TYPE_1, Window.ALL_REMOTE);
    b.qp().modify(QpAttr.to(QpState.SQD));

    Window present = Window.posted(b.qp(), former.mw(), middle(Window.ALL_REMOTE));

    int rkey = former.rkey();
    assertThat(present.rkey()).isEqualTo((rkey & ~0xff) | ((rkey + 1) & 0xff));
    assertThat(write(memory.addr() + FIRST, former.rkey(), 8)).containsExactly("1 RDMA_WRITE");
    b.qp().modify(QpAttr.to(QpState.RTS));
    pair.drain();
    assertThat(write(memory.addr() + FIRST, present.rkey(), 8)).containsExactly("1 RDMA_WRITE");
    assertThat(write(memory.addr() + FIRST, former.rkey(), 8)).containsExactly("1 REM_ACCESS_ERR");
  }

  @Test
  void theDeviceItselfDoesNotUseTheKeyOfAWindow() {
    Window window = bound(MwType.TYPE_1, Window.ALL_REMOTE);

    b.qp().postSend(SendWr.send(2, new Sge(memory.addr() + FIRST, 8, window.rkey())));
    pair.drain();

    List<WorkCompletion> failed = b.sendCompletions();
    assertThat(Outcomes.of(failed)).containsExactly("2 LOC_PROT_ERR");
    assertThat(failed.get(0).explain()).contains("a memory window, which is for peers only");
  }

  private void assertBindRefused(Errno errno, MemoryWindow mw, MwBindInfo binding) {
    int before = mw == null ? 0 : mw.rkey();

    assertRefused(errno, () -> b.qp().bindMw(mw, new MwBind(1, SIGNALED, binding)));

    assertThat(mw == null ? 0 : mw.rkey()).isEqualTo(before);
  }

  @Test
  void bindsOfType1ThatAreRefusedAtOnce() {
    MemoryWindow mw = b.pd().allocMw(MwType.TYPE_1);
    MwBindInfo good = middle(Window.ALL_REMOTE);

    assertBindRefused(Errno.EINVAL, null, good);
    assertBindRefused(Errno.EINVAL, b.pd().allocMw(MwType.TYPE_2), good);
    assertBindRefused(Errno.EINVAL, a.pd().allocMw(MwType.TYPE_1), good);
    assertBindRefused(Errno.EINVAL, mw, new MwBindInfo(null, memory.addr(), 0, Set.of()));
    assertBindRefused(Errno.EINVAL, mw, new MwBindInfo(null, 0, 8, Set.of()));
    assertBindRefused(Errno.EINVAL, mw, middle(ZERO_BASED));
    assertBindRefused(Errno.EPERM, mw, Window.over(a.region(), Set.of()));
    b.qp().modify(QpAttr.to(QpState.RESET));
    assertBindRefused(Errno.EINVAL, mw, good);
  }

  @Test
  void bindsByWorkRequestThatAreRefusedAtOnce() {
    MwBindInfo good = middle(Window.ALL_REMOTE);
    MemoryWindow type1 = b.pd().allocMw(MwType.TYPE_1);

    assertRefused(Errno.EINVAL, () -> b.qp().postSend(new BindMwWr(1, SIGNALED, null, 0, good)));
    assertRefused(Errno.EINVAL, () -> b.qp().postSend(Window.request(type1, 1, good)));
  }

  @Test
  void aDeviceHasSoManyWindows() {
    DeviceProfile few = DeviceProfile.standard().withLimit(DeviceLimit.MAX_MW, 2);
    try (Pair small = Pair.on(form).profile(few).connect()) {
      MemoryWindow first = small.a().pd().allocMw(MwType.TYPE_1);
      small.a().pd().allocMw(MwType.TYPE_2);
      assertRefused(Errno.ENOMEM, () -> small.a().pd().allocMw(MwType.TYPE_1));

      first.close();
      small.a().pd().allocMw(MwType.TYPE_2);
    }
  }

  @Test
  void aBusyRegionIsAnInvalidArgumentForSoftRoce() {
    try (Pair linux = Pair.on(form).profile(DeviceProfile.softRoce()).connect()) {
      MemoryRegion region = linux.b().register(4096, Window.BINDABLE);
      Window.bound(linux, linux.b(), MwType.TYPE_1, Window.over(region, Window.ALL_REMOTE));

      assertRefused(Errno.EINVAL, region::close);
    }
  }

  private String explanationOfBind(MwBindInfo binding) {
    Window.posted(b.qp(), b.pd().allocMw(MwType.TYPE_2), binding);
    b.qp().postSend(SendWr.send(2));
    pair.drain();
    List<WorkCompletion> failed = b.sendCompletions();
    assertThat(Outcomes.of(failed)).containsExactly(Window.BIND + " MW_BIND_ERR", "2 WR_FLUSH_ERR");
    assertThat(failed.get(1).explain())
        .contains("wr_id " + Window.BIND, "MW_BIND_ERR", failed.get(0).explain());
    return failed.get(0).explain();
  }

  static Stream<Arguments> failingBinds() {
    return Stream.of(
        failing(test -> Window.over(test.memory, 8, 4096, Set.of()), "4096 bytes from 0x"),
        failing(test -> Window.over(test.b.region(), Set.of()), "MW_BIND"),
        failing(
            test -> Window.over(test.b.register(64, Set.of(AccessFlag.MW_BIND)), Window.ALL_REMOTE),
            "REMOTE_",
            "LOCAL_WRITE"),
        failing(test -> Window.over(test.memory, 0, 0, Set.of()), "at least one byte"));
  }

  private static Arguments failing(Function<WindowTest, MwBindInfo> binding, String... words) {
    return Arguments.of(binding, words);
  }

  @ParameterizedTest
  @MethodSource("failingBinds")
  void aBindThatFailsSaysWhy(Function<WindowTest, MwBindInfo> binding, String... words) {
    assertThat(explanationOfBind(binding.apply(this))).contains(words);
  }

  @Test
  void aKeyOfAnotherSlotIsNamed() {
    MemoryWindow mw = b.pd().allocMw(MwType.TYPE_2);
    b.qp().postSend(new BindMwWr(1, SIGNALED, mw, 0x7700, middle(Set.of())));
    pair.drain();

    assertThat(b.sendCompletions())
        .singleElement()
        .satisfies(wc -> assertThat(wc.explain()).contains("0x00007700", "lower 8 bits"));
  }

  @Test
  void aLocalInvalidationThatFailsNamesTheKey() {
    Window window = bound(MwType.TYPE_1, Window.ALL_REMOTE);

    b.qp().postSend(window.invalidation());
    pair.drain();

    List<WorkCompletion> failed = b.sendCompletions();
    assertThat(Outcomes.of(failed)).containsExactly(Window.INVALIDATE + " MW_BIND_ERR");
    assertThat(failed.get(0).explain()).contains(String.format("0x%08x", window.rkey()), "type 1");
    assertThat(b.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aRemoteInvalidationThatFailsIsExplainedOnBothSides() {
    b.qp().postRecv(RecvWr.of(8, b.region().sge()));

    a.qp().postSend(new SendWithInvWr(1, List.of(), SIGNALED, memory.rkey()));
    pair.drain();

    WorkCompletion sent = a.sendCompletions().get(0);
    WorkCompletion received = b.receiveCompletions().get(0);
    assertThat(Outcomes.of(List.of(sent, received)))
        .containsExactly("1 REM_ACCESS_ERR", "8 LOC_ACCESS_ERR");
    assertThat(received.explain()).contains("invalidation of a key", "names a region");
    assertThat(sent.explain()).contains("NAK 0x62", "PSN " + Pair.PSN_A);
  }

  @Test
  void aRefusedAccessNamesTheWindow() {
    Window window = bound(MwType.TYPE_2, EnumSet.of(AccessFlag.REMOTE_READ));
    b.qp().postRecv(RecvWr.of(8));

    a.qp()
        .postSend(
            SendWr.rdmaWriteWithImm(
                1, memory.addr() + FIRST, window.rkey(), 7, a.region().sge(0, 8)));
    pair.drain();

    assertThat(b.receiveCompletions())
        .singleElement()
        .satisfies(
            wc ->
                assertThat(wc.explain())
                    .contains("memory window was bound without the right that is needed"));
  }

  @Test
  void theKeyOfABindThatWasNeverCarriedOutIsNotGivenAgain() {
    MemoryWindow mw = b.pd().allocMw(MwType.TYPE_1);
    b.qp().modify(QpAttr.to(QpState.ERR));
    int flushed = Window.posted(b.qp(), mw, Window.over(memory, Window.ALL_REMOTE)).rkey();

    mw.close();

    assertThat(b.register(LENGTH).rkey()).isNotEqualTo(flushed);
  }
}
