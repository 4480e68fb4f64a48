// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Statuses at both sides for memory that is closed; more are in the scripts of the suites. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ErrorStatusTest {
  private static final int BAD_KEY = 0xdead_beef;
  private static final int BYTES = 4096;

  private final LinkForm form;
  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  ErrorStatusTest(LinkForm form) {
    this.form = form;
    pair = Pair.connected(form);
    local = pair.a().region();
    remote = pair.b().region();
  }

  private void post(SendWr... requests) {
    pair.send(requests);
  }

  private void assertStates(QpState a, QpState b) {
    assertThat(pair.a().state()).as("a").isEqualTo(a);
    assertThat(pair.b().state()).as("b").isEqualTo(b);
  }

  /** Entries of 4096 bytes that a side may not read, and may not write either. */
  static Stream<Named<Function<TestEndpoint, Sge>>> closed() {
    return Stream.of(
        Named.of("bad key", side -> new Sge(side.region().addr(), BYTES, BAD_KEY)),
        Named.of("before its region", side -> withBytes(side.region(), -1)),
        Named.of("beyond the end", side -> withBytes(side.register(BYTES - 1), 0)),
        Named.of("of another domain", side -> foreign(side).sge()),
        Named.of("of a region that is gone", side -> gone(side).sge()));
  }

  static Stream<Named<Function<TestEndpoint, Sge>>> unwritable() {
    return Stream.concat(
        closed(),
        Stream.of(
            Named.of(
                "without LOCAL_WRITE",
                side -> side.register(BYTES, EnumSet.of(AccessFlag.REMOTE_READ)).sge())));
  }

  private static Sge withBytes(MemoryRegion region, int offset) {
    return new Sge(region.addr() + offset, BYTES, region.lkey());
  }

  private static MemoryRegion foreign(TestEndpoint side) {
    ProtectionDomain other = side.context().allocPd();
    return TestEndpoint.registerIn(other, BYTES, TestEndpoint.ALL_RIGHTS);
  }

  private static MemoryRegion gone(TestEndpoint side) {
    MemoryRegion gone = side.register(BYTES);
    gone.close();
    return gone;
  }

  @ParameterizedTest
  @MethodSource("unwritable")
  void receiveIntoMemoryThatIsNotToBeWritten(Function<TestEndpoint, Sge> entry) {
    pair.b().qp().postRecv(List.of(RecvWr.of(8, entry.apply(pair.b())), RecvWr.of(9)));

    post(SendWr.send(1, local.sge(0, BYTES)), SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 REM_OP_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).containsExactly("8 LOC_PROT_ERR", "9 WR_FLUSH_ERR");
    assertStates(QpState.ERR, QpState.ERR);
  }

  private void assertSendRefused(SendWr request) {
    pair.b().qp().postRecv(RecvWr.of(9, remote.sge()));

    post(request, SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).isEmpty();
    assertThat(Bytes.in(remote, 0, 8)).containsOnly(TestEndpoint.FILL);
    assertStates(QpState.ERR, QpState.RTS);
  }

  @ParameterizedTest
  @MethodSource("closed")
  void sendFromMemoryThatIsNotToBeRead(Function<TestEndpoint, Sge> entry) {
    assertSendRefused(SendWr.send(1, entry.apply(pair.a())));
  }

  @Test
  void writeWithABadLocalAndABadRemoteKey() {
    Sge bad = new Sge(local.addr(), 8, BAD_KEY);

    assertSendRefused(SendWr.rdmaWrite(1, remote.addr(), BAD_KEY, bad));
  }

  @ParameterizedTest
  @MethodSource("unwritable")
  void readIntoMemoryThatIsNotToBeWritten(Function<TestEndpoint, Sge> entry) {
    Sge target = entry.apply(pair.a());
    Bytes.into(local, 0, Bytes.fill(BYTES, 0x11));

    post(SendWr.rdmaRead(1, remote.addr(), remote.rkey(), target), SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(Bytes.in(local, 0, BYTES)).containsOnly(0x11);
    assertThat(pair.a().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void readWithABadLocalAndABadRemoteKey() {
    post(SendWr.rdmaRead(1, remote.addr(), BAD_KEY, new Sge(local.addr(), 8, BAD_KEY)));

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR");
  }

  @Test
  void sendLongerThanTheReceive() {
    pair.b().qp().postRecv(List.of(RecvWr.of(8, remote.sge(0, 4095)), RecvWr.of(9)));

    post(SendWr.send(1, local.sge(0, BYTES)));

    assertThat(pair.a().sends()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(pair.b().receives()).containsExactly("8 LOC_LEN_ERR", "9 WR_FLUSH_ERR");
    assertStates(QpState.ERR, QpState.ERR);
  }

  @Test
  void writeToMemoryThatIsClosed() {
    pair.b().qp().postRecv(RecvWr.of(9));

    post(SendWr.rdmaWrite(1, remote.addr(), BAD_KEY, local.sge(0, BYTES)), SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).containsExactly("9 WR_FLUSH_ERR");
    assertThat(pair.b().events()).containsExactly(EventType.QP_ACCESS_ERR);
    assertThat(Bytes.in(remote, 0, BYTES)).containsOnly(TestEndpoint.FILL);
    assertStates(QpState.ERR, QpState.ERR);
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_READ", "REMOTE_WRITE"})
  void accessThatTheQueuePairDoesNotAllow(AccessFlag onlyRight) {
    try (Pair limited = Pair.on(form).access(EnumSet.of(onlyRight)).connect()) {
      MemoryRegion target = limited.b().region();
      Sge sge = limited.a().region().sge(0, 8);

      limited.send(
          onlyRight == AccessFlag.REMOTE_WRITE
              ? SendWr.rdmaRead(1, target.addr(), target.rkey(), sge)
              : SendWr.rdmaWrite(1, target.addr(), target.rkey(), sge));

      assertThat(limited.a().sends()).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(limited.a().state()).isEqualTo(QpState.ERR);
      assertThat(limited.b().state()).isEqualTo(QpState.ERR);
    }
  }
}
