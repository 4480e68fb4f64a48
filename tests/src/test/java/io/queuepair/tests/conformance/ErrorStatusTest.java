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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What both sides learn of each kind of failure. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ErrorStatusTest {
  private static final int BAD_KEY = 0xdead_beef;

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
    pair.a().qp().postSend(List.of(requests));
    pair.drain();
  }

  private void assertStates(QpState a, QpState b) {
    assertThat(pair.a().state()).as("a").isEqualTo(a);
    assertThat(pair.b().state()).as("b").isEqualTo(b);
  }

  @Test
  void sendLongerThanTheReceive() {
    pair.b().qp().postRecv(List.of(RecvWr.of(8, remote.sge(0, 4095)), RecvWr.of(9)));

    post(SendWr.send(1, local.sge(0, 4096)));

    assertThat(pair.a().sends()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(pair.b().receives()).containsExactly("8 LOC_LEN_ERR", "9 WR_FLUSH_ERR");
    assertStates(QpState.ERR, QpState.ERR);
  }

  private void assertReceiveRefused(Sge sge) {
    pair.b().qp().postRecv(List.of(RecvWr.of(8, sge), RecvWr.of(9)));

    post(SendWr.send(1, local.sge(0, 4096)), SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 REM_OP_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).containsExactly("8 LOC_PROT_ERR", "9 WR_FLUSH_ERR");
    assertStates(QpState.ERR, QpState.ERR);
  }

  @Test
  void receiveWithABadKey() {
    assertReceiveRefused(new Sge(remote.addr(), 4096, BAD_KEY));
  }

  @Test
  void receiveIntoMemoryWithoutLocalWrite() {
    assertReceiveRefused(pair.b().register(4096, EnumSet.of(AccessFlag.REMOTE_READ)).sge());
  }

  @Test
  void receiveThatStartsBeforeItsRegion() {
    assertReceiveRefused(new Sge(remote.addr() - 1, 4096, remote.lkey()));
  }

  @Test
  void receiveBeyondTheEndOfItsRegion() {
    MemoryRegion region = pair.b().register(4064);
    assertReceiveRefused(new Sge(region.addr(), 4096, region.lkey()));
  }

  @Test
  void receiveIntoMemoryOfAnotherDomain() {
    ProtectionDomain other = pair.b().context().allocPd();

    assertReceiveRefused(TestEndpoint.registerIn(other, 4096, TestEndpoint.ALL_RIGHTS).sge());
  }

  @Test
  void receiveIntoMemoryThatIsGone() {
    MemoryRegion gone = pair.b().register(4096);
    Sge sge = gone.sge();
    gone.close();

    assertReceiveRefused(sge);
  }

  private void assertSendRefused(SendWr request) {
    post(request, SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).isEmpty();
    assertThat(Bytes.in(remote, 0, 8)).containsOnly(TestEndpoint.FILL);
    assertStates(QpState.ERR, QpState.RTS);
  }

  @Test
  void sendWithABadKey() {
    pair.b().qp().postRecv(RecvWr.of(9, remote.sge()));

    assertSendRefused(SendWr.send(1, new Sge(local.addr(), 8, BAD_KEY)));
  }

  @Test
  void writeWithABadLocalKey() {
    assertSendRefused(
        SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), new Sge(local.addr(), 8, BAD_KEY)));
  }

  @Test
  void writeWithABadLocalAndABadRemoteKey() {
    assertSendRefused(
        SendWr.rdmaWrite(1, remote.addr(), BAD_KEY, new Sge(local.addr(), 8, BAD_KEY)));
  }

  @Test
  void sendFromMemoryOfAnotherDomain() {
    ProtectionDomain other = pair.a().context().allocPd();
    MemoryRegion foreign = TestEndpoint.registerIn(other, 8, TestEndpoint.ALL_RIGHTS);

    assertSendRefused(SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), foreign.sge()));
  }

  @Test
  void sendBeyondTheEndOfItsRegion() {
    MemoryRegion region = pair.a().register(7);
    Sge longer = new Sge(region.addr(), 8, region.lkey());
    assertSendRefused(SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), longer));
  }

  private void assertReadTargetRefused(Sge target) {
    Bytes.into(local, 0, Bytes.fill(8, 0x11));

    post(SendWr.rdmaRead(1, remote.addr(), remote.rkey(), target), SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(Bytes.in(local, 0, 8)).containsOnly(0x11);
    assertThat(pair.a().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void readIntoABadKey() {
    assertReadTargetRefused(new Sge(local.addr(), 8, BAD_KEY));
  }

  @Test
  void readIntoMemoryWithoutLocalWrite() {
    assertReadTargetRefused(pair.a().register(8, EnumSet.of(AccessFlag.REMOTE_READ)).sge());
  }

  @Test
  void readWithABadLocalAndABadRemoteKey() {
    post(SendWr.rdmaRead(1, remote.addr(), BAD_KEY, new Sge(local.addr(), 8, BAD_KEY)));

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR");
  }

  private void assertRemoteAccessRefused(SendWr request) {
    pair.b().qp().postRecv(RecvWr.of(9));

    post(request, SendWr.send(2));

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.b().receives()).containsExactly("9 WR_FLUSH_ERR");
    assertThat(pair.b().events()).containsExactly(EventType.QP_ACCESS_ERR);
    assertStates(QpState.ERR, QpState.ERR);
  }

  private SendWr write(long addr, int rkey, int length) {
    return SendWr.rdmaWrite(1, addr, rkey, local.sge(0, length));
  }

  private SendWr read(long addr, int rkey, int length) {
    return SendWr.rdmaRead(1, addr, rkey, local.sge(0, length));
  }

  @Test
  void writeWithABadRemoteKey() {
    assertRemoteAccessRefused(write(remote.addr(), BAD_KEY, 4096));
    assertThat(Bytes.in(remote, 0, 4096)).containsOnly(TestEndpoint.FILL);
  }

  @Test
  void readWithABadRemoteKey() {
    Bytes.into(local, 0, Bytes.fill(4096, 0x11));
    assertRemoteAccessRefused(read(remote.addr(), BAD_KEY, 4096));
    assertThat(Bytes.in(local, 0, 4096)).containsOnly(0x11);
  }

  @Test
  void writeBeforeTheRegion() {
    assertRemoteAccessRefused(write(remote.addr() - 1, remote.rkey(), 4096));
  }

  @Test
  void writeOneByteTooFar() {
    assertRemoteAccessRefused(write(remote.addr() + remote.length() - 4095, remote.rkey(), 4096));
  }

  @Test
  void readBeforeTheRegion() {
    assertRemoteAccessRefused(read(remote.addr() - 1, remote.rkey(), 4096));
  }

  @Test
  void readOneByteTooFar() {
    assertRemoteAccessRefused(read(remote.addr() + remote.length() - 4095, remote.rkey(), 4096));
  }

  @Test
  void writeToMemoryWithoutRemoteWrite() {
    MemoryRegion region =
        pair.b().register(8, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));

    assertRemoteAccessRefused(write(region.addr(), region.rkey(), 8));
  }

  @Test
  void readOfMemoryWithoutRemoteRead() {
    MemoryRegion region =
        pair.b().register(8, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

    assertRemoteAccessRefused(read(region.addr(), region.rkey(), 8));
  }

  @Test
  void writeToMemoryOfAnotherDomain() {
    ProtectionDomain other = pair.b().context().allocPd();
    MemoryRegion region = TestEndpoint.registerIn(other, 8, TestEndpoint.ALL_RIGHTS);

    assertRemoteAccessRefused(write(region.addr(), region.rkey(), 8));
  }

  @Test
  void writeToMemoryThatIsGone() {
    MemoryRegion gone = pair.b().register(8);
    SendWr write = write(gone.addr(), gone.rkey(), 8);
    gone.close();

    assertRemoteAccessRefused(write);
  }

  @Test
  void writeWithImmediateAndABadRemoteKey() {
    pair.b().qp().postRecv(List.of(RecvWr.of(8), RecvWr.of(9)));

    post(SendWr.rdmaWriteWithImm(1, remote.addr(), BAD_KEY, 7, local.sge(0, 4096)));

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(pair.b().receives()).last().isEqualTo("9 WR_FLUSH_ERR");
    assertThat(Bytes.in(remote, 0, 4096)).containsOnly(TestEndpoint.FILL);
    assertStates(QpState.ERR, QpState.ERR);
  }

  @Test
  void writeThatTheQueuePairDoesNotAllow() {
    assertNotEnabled(EnumSet.of(AccessFlag.REMOTE_READ), write(remote.addr(), 0, 8));
  }

  @Test
  void readThatTheQueuePairDoesNotAllow() {
    assertNotEnabled(EnumSet.of(AccessFlag.REMOTE_WRITE), read(remote.addr(), 0, 8));
  }

  private void assertNotEnabled(EnumSet<AccessFlag> rights, SendWr shape) {
    try (Pair limited = Pair.on(form).access(rights).connect()) {
      MemoryRegion target = limited.b().region();
      Sge sge = limited.a().region().sge(0, 8);
      SendWr request =
          shape instanceof SendWr.RdmaRead
              ? SendWr.rdmaRead(1, target.addr(), target.rkey(), sge)
              : SendWr.rdmaWrite(1, target.addr(), target.rkey(), sge);

      limited.a().qp().postSend(request);
      limited.drain();

      assertThat(limited.a().sends()).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(limited.a().state()).isEqualTo(QpState.ERR);
      assertThat(limited.b().state()).isEqualTo(QpState.ERR);
    }
  }

  @Test
  void emptyAccessWithABadKeyIsNone() {
    post(
        SendWr.rdmaWrite(1, 0xdead_0000L, BAD_KEY),
        SendWr.rdmaRead(2, 0xdead_0000L, BAD_KEY),
        SendWr.rdmaWrite(3, remote.addr() - 1, remote.rkey()));

    assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_READ 0", "3 RDMA_WRITE");
    assertStates(QpState.RTS, QpState.RTS);
  }

  @Test
  void successesBeforeAFailureAreReported() {
    post(
        write(remote.addr(), remote.rkey(), 8),
        SendWr.rdmaWrite(2, remote.addr(), BAD_KEY, local.sge(0, 8)),
        SendWr.rdmaWrite(3, remote.addr(), remote.rkey(), local.sge(0, 8)));

    assertThat(pair.a().sends())
        .containsExactly("1 RDMA_WRITE", "2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR");
  }

  @Test
  void keyThatGoesWhileAWriteArrives() {
    MemoryRegion target = pair.b().register(60_000);
    pair.a().qp().postSend(write(target.addr(), target.rkey(), 60_000));

    target.close();
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 REM_ACCESS_ERR");
    assertStates(QpState.ERR, QpState.ERR);
  }
}
