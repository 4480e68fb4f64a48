// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.Verbs;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the tests of pyverbs for extended posting do ({@code tests/test_qpex.py}), besides the
 * operations of reliable connections, which are a table of cases.
 */
final class PyverbsPostingTest {
  private static final int MESSAGE = 100;

  @AutoClose private ExtendedQpFixture bed;

  private void open(QpType type, SendOpsFlag operation) {
    open(type, operation, DeviceProfile.standard());
  }

  private void open(QpType type, SendOpsFlag operation, DeviceProfile profile) {
    bed = new ExtendedQpFixture(type, Set.of(operation), profile);
    Bytes.into(bed.local, 0, Bytes.pattern(128, 1));
  }

  private static WrBatch addressed(ExtendedQpFixture bed, WrBatch wr) {
    return wr.setUdAddr(bed.ah, bed.target.qpNum(), Attributes.QKEY);
  }

  private void assertArrived(int offset, int bytes) {
    assertThat(Bytes.in(bed.remote, offset, bytes)).isEqualTo(Bytes.pattern(bytes, 1));
  }

  static Stream<Arguments> datagrams() {
    BiConsumer<ExtendedQpFixture, WrBatch> send =
        (bed, wr) -> addressed(bed, wr.send().setSge(bed.local.sge(0, 80)));
    BiConsumer<ExtendedQpFixture, WrBatch> zeroSize = (bed, wr) -> addressed(bed, wr.send());
    BiConsumer<ExtendedQpFixture, WrBatch> sendImm =
        (bed, wr) -> addressed(bed, wr.sendImm(1234)).setSge(bed.local.sge(0, 80));
    return Stream.of(
        arguments("ud_send", SendOpsFlag.WITH_SEND, send, 80, "0 RECV 120 [GRH]"),
        arguments("ud_zero_size", SendOpsFlag.WITH_SEND, zeroSize, 0, "0 RECV 40 [GRH]"),
        arguments(
            "ud_send_imm",
            SendOpsFlag.WITH_SEND_WITH_IMM,
            sendImm,
            80,
            "0 RECV 120 [GRH, WITH_IMM]"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("datagrams")
  void datagramsArrive(
      String name,
      SendOpsFlag operation,
      BiConsumer<ExtendedQpFixture, WrBatch> requests,
      int bytes,
      String received) {
    open(QpType.UD, operation);
    bed.post(wr -> requests.accept(bed, wr));

    assertThat(bed.sends()).containsExactly("0 SEND");
    List<WorkCompletion> completions = bed.received.poll(2);
    assertThat(Outcomes.of(completions)).containsExactly(received);
    assertThat(completions.get(0).immData())
        .isEqualTo(operation == SendOpsFlag.WITH_SEND_WITH_IMM ? 1234 : 0);
    assertArrived(40, bytes);
  }

  @ParameterizedTest
  @CsvSource({"WITH_SEND, 0 RECV 100", "WITH_SEND_WITH_IMM, 0 RECV 100 imm 0x000004d2"})
  void aMessageLandsInTheSharedQueueOfThatNumber(SendOpsFlag operation, String received) {
    open(QpType.XRC_SEND, operation);
    Sge data = bed.local.sge(0, MESSAGE);
    bed.post(
        wr ->
            (operation == SendOpsFlag.WITH_SEND ? wr.send() : wr.sendImm(1234))
                .setXrcSrqn(bed.srqn())
                .setSge(data));

    assertThat(bed.sends()).containsExactly("0 SEND");
    assertThat(bed.receives()).containsExactly(received);
    assertArrived(0, MESSAGE);
  }

  /** Completion of a write of the peer through a new window of the target memory. */
  private List<String> writeThroughWindow(AccessFlag right) {
    int rkey = Verbs.incRkey(bed.mw.rkey());
    MwBindInfo binding = Window.over(bed.remote, EnumSet.of(right));
    bed.post(wr -> wr.bindMw(bed.mw, rkey, binding));
    assertThat(bed.sends()).containsExactly("0 BIND_MW");
    Sge data = bed.local.sge(0, MESSAGE);
    bed.target.postSend(SendWr.rdmaWrite(1, bed.remote.addr(), rkey, data));
    return bed.sends();
  }

  @ParameterizedTest
  @CsvSource({"LOCAL_WRITE, 1 REM_ACCESS_ERR", "REMOTE_WRITE, 1 RDMA_WRITE"})
  void onlyPeersWriteThroughAWindowForPeers(AccessFlag right, String outcome) {
    open(QpType.RC, SendOpsFlag.WITH_BIND_MW);
    byte[] before = Bytes.in(bed.remote, 0, MESSAGE);

    assertThat(writeThroughWindow(right)).containsExactly(outcome);

    assertThat(Bytes.in(bed.remote, 0, MESSAGE))
        .isEqualTo(right == AccessFlag.REMOTE_WRITE ? Bytes.pattern(MESSAGE, 1) : before);
  }

  /** Linux grants it, and has no opcode for it. */
  @Test
  void onSoftRoceASendThatInvalidatesOverUcFailsLater() {
    open(QpType.UC, SendOpsFlag.WITH_SEND_WITH_INV, DeviceProfile.softRoce());

    bed.post(wr -> wr.sendInv(1));

    assertThat(bed.sends()).containsExactly("0 LOC_QP_OP_ERR");
  }
}
