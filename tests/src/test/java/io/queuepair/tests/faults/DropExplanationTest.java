// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.DropReason;
import io.queuepair.tests.faults.ExplainedHosts.Network;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A dropped packet is explained where it was dropped, with the numbers that decided, and to a
 * requester that gets no answer.
 */
@Timeout(60)
final class DropExplanationTest {
  private static final String A = ExplainedHosts.A;
  private static final String B = ExplainedHosts.B;

  /** The number of the first queue pair of a device. */
  private static final String NO_ANSWER =
      "no answer to PSN 100 within the ACK timeout (TIMEOUT 16), and RETRY_CNT is 0. ";

  /**
   * How packets come to be dropped for a reason, and who says what.
   *
   * @param plan what is done to packets on their way
   * @param act what happens; what the completion of the requester explains in the end
   * @param requester that; empty if it waits for no answer, or succeeds
   * @param line what the device says that dropped it; empty for nothing
   */
  private record Row(String plan, Act act, Optional<String> requester, Optional<String> line) {

    static Row of(String plan, Act act) {
      return new Row(plan, act, Optional.empty(), Optional.empty());
    }

    static Row of(Act act) {
      return of("", act);
    }

    Row explains(String explanation) {
      return new Row(plan, act, Optional.of(explanation), line);
    }

    Row says(String text) {
      return new Row(plan, act, requester, Optional.of(text));
    }

    /** A request that b drops, and that a gets no answer to. */
    Row dropped(String packet, String why) {
      return explains(NO_ANSWER + "1 packet dropped by " + B + ": " + why)
          .says(B + " dropped " + packet + " for queue pair 17 from " + A + ": " + why);
    }

    Row datagram(String packet, String why) {
      return says(B + " dropped " + packet + " from " + A + ": " + why);
    }
  }

  private interface Act {
    /** Does it; returns the explanation of the completion. */
    String on(ExplainedHosts hosts);
  }

  private static Row rowOf(DropReason reason) {
    String text = reason.text();
    return switch (reason) {
      case TOO_SHORT -> bytes("04 00 ffff 00000011 00000064").says(stranger(12, text));
      case UNKNOWN_OPCODE ->
          bytes("df 00 ffff 00000011 00000064 00000000 00000000").says(stranger(20, text));
      case BAD_TRANSPORT_VERSION ->
          bytes("04 0f ffff 00000011 00000064 00000000").says(stranger(16, text));
      case BAD_LENGTH -> bytes("04 30 ffff 00000011 00000064 00000000").says(stranger(16, text));
      case DEST_QP_ZERO -> bytes("04 00 ffff 00000000 00000064 00000000").says(stranger(16, text));
      case BAD_ICRC -> corrupted(text);
      case PORT_DOWN ->
          Row.of(connected(hosts -> hosts.b().device().setPortUp(1, false)))
              .dropped("RC_SEND_ONLY", text);
      case NO_SUCH_QP ->
          Row.of(hosts -> sendTo(hosts, QueuePair::close))
              .dropped("RC_SEND_ONLY", text + " It is 17.");
      case NO_SUCH_GROUP ->
          Row.of(
                  "set qpn 0xffffff UD",
                  datagram(64, ExplainedHosts.FIRST_QPN, ExplainedHosts.QKEY, 256))
              .datagram("UD_SEND_ONLY for queue pair 16777215", text + " It is for " + B + ".");
      case WRONG_SERVICE ->
          Row.of(datagramTo(QpType.RC))
              .datagram(
                  "UD_SEND_ONLY for queue pair 17",
                  text + " It is a UD_SEND_ONLY, the QP is of type RC.");
      case WRONG_QP_STATE ->
          Row.of(hosts -> sendTo(hosts, qp -> qp.modify(QpAttr.to(QpState.ERR))))
              .dropped(
                  "RC_SEND_ONLY",
                  text + " It is in ERR, because the application moved the queue pair to ERR.");
      case WRONG_PEER -> fromAnotherAddress(text);
      case WRONG_PORT ->
          Row.of(hosts -> datagramToPort(hosts, 2))
              .datagram("UD_SEND_ONLY for queue pair 17", text + " That is 2.");
      case BAD_PKEY -> ofAnotherPartition(text);
      case BAD_QKEY ->
          Row.of(datagram(64, ExplainedHosts.FIRST_QPN, 0x22222222, 256))
              .datagram(
                  "UD_SEND_ONLY for queue pair 17",
                  text + " It has 0x22222222, the QP 0x11111111.");
      case NO_AGENT ->
          Row.of("set qkey 0x80010000 UD", datagram(256, 1, ExplainedHosts.QKEY, 0))
              .datagram("UD_SEND_ONLY for queue pair 1", text + " It has 256 bytes.");
      case NO_RECEIVE ->
          Row.of(datagram(64, ExplainedHosts.FIRST_QPN, ExplainedHosts.QKEY, -1))
              .datagram("UD_SEND_ONLY for queue pair 17", text + " It has 64 + 40 bytes (GRH).");
      case RECEIVE_TOO_SMALL ->
          Row.of(datagram(64, ExplainedHosts.FIRST_QPN, ExplainedHosts.QKEY, 64))
              .datagram(
                  "UD_SEND_ONLY for queue pair 17",
                  text + " 64 + 40 bytes (GRH) do not fit a receive of 64.");
      // The course of things, where a loss is made up for.
      case STALE_RESPONSE -> Row.of("duplicate ACK", DropExplanationTest::sendTwo);
      case DUPLICATE -> Row.of("duplicate SEND", DropExplanationTest::sendTwo);
      case OUT_OF_ORDER ->
          Row.of("drop 1st UC", unreliable(EnumSet.of(AccessFlag.REMOTE_WRITE)))
              .datagram("UC_RDMA_WRITE_LAST for queue pair 17", text);
      case NOT_OUR_ADDRESS ->
          Row.of(DropExplanationTest::sendWithoutTheAddress)
              .explains(
                  NO_ANSWER + "1 packet not sent by " + ExplainedHosts.STRANGER + ": " + text);
      case MALFORMED -> ofAWriteThatIsNotAllowed(text);
    };
  }

  private static Row corrupted(String text) {
    return Row.of("corrupt icrc of SEND", DropExplanationTest::send)
        .explains(
            NO_ANSWER
                + "1 packet corrupted: corrupt icrc SEND. 1 packet dropped by "
                + (B + ": " + text))
        .says(B + " dropped 80 bytes from " + A + ": " + text);
  }

  private static Row fromAnotherAddress(String text) {
    return Row.of(DropExplanationTest::sendFromAnotherAddress)
        .explains(
            NO_ANSWER
                + ("1 packet dropped by " + B + ": " + text)
                + (" It comes from " + ExplainedHosts.STRANGER + ", the peer is " + A + "."))
        .says(
            (B + " dropped RC_SEND_ONLY for queue pair 17 from " + ExplainedHosts.STRANGER)
                + (": " + text + " It comes from " + ExplainedHosts.STRANGER)
                + (", the peer is " + A + "."));
  }

  private static Row ofAnotherPartition(String text) {
    return Row.of("set pkey 0x8001 SEND", DropExplanationTest::send)
        .explains(
            NO_ANSWER
                + "1 packet rewritten: set pkey 32769 SEND. 1 packet dropped by "
                + (B + ": " + text + " It has 0x8001, the QP 0xffff."))
        .says(
            (B + " dropped RC_SEND_ONLY for queue pair 17 from " + A + ": ")
                + (text + " It has 0x8001, the QP 0xffff."));
  }

  private static Row ofAWriteThatIsNotAllowed(String text) {
    return Row.of(unreliable(EnumSet.of(AccessFlag.REMOTE_READ)))
        .datagram(
            "UC_RDMA_WRITE_FIRST for queue pair 17",
            text
                + " The queue pair was not given the access right for the operation: it has"
                + " [REMOTE_READ].");
  }

  private static Row bytes(String spacedHex) {
    byte[] bytes = HexFormat.of().parseHex(spacedHex.replace(" ", ""));
    return Row.of(
        hosts -> {
          hosts.sendBytes(bytes);
          return "";
        });
  }

  private static String stranger(int bytes, String text) {
    return B + " dropped " + bytes + " bytes from " + ExplainedHosts.STRANGER + ": " + text;
  }

  /** A SEND over a connection, to whose peer something is done before. */
  private static String sendTo(ExplainedHosts hosts, Consumer<QueuePair> change) {
    QueuePair a = hosts.a().create(QpType.RC);
    QueuePair b = hosts.b().create(QpType.RC);
    hosts.connect(a, b, attr -> attr);
    b.postRecv(RecvWr.of(9, hosts.b().region().sge()));
    change.accept(b);
    return post(hosts, a);
  }

  private static String post(ExplainedHosts hosts, QueuePair a) {
    a.postSend(SendWr.send(1, hosts.a().region().sge(0, 64)));
    WorkCompletion completion = hosts.await(hosts.a());
    assertThat(completion.status()).isIn(WcStatus.RETRY_EXC_ERR, WcStatus.SUCCESS);
    return completion.explain();
  }

  private static String send(ExplainedHosts hosts) {
    return sendTo(hosts, qp -> {});
  }

  private static Act connected(Consumer<ExplainedHosts> change) {
    return hosts -> sendTo(hosts, qp -> change.accept(hosts));
  }

  /** The second has arrived when what was repeated of the first has. */
  private static String sendTwo(ExplainedHosts hosts) {
    QueuePair a = hosts.a().create(QpType.RC);
    QueuePair b = hosts.b().create(QpType.RC);
    hosts.connect(a, b, attr -> attr);
    b.postRecv(RecvWr.of(8, hosts.b().region().sge(0, 64)));
    b.postRecv(RecvWr.of(9, hosts.b().region().sge(0, 64)));
    return post(hosts, a) + post(hosts, a);
  }

  private static String sendFromAnotherAddress(ExplainedHosts hosts) {
    hosts.a().device().addAddress(1, ExplainedHosts.STRANGER);
    QueuePair a = hosts.a().create(QpType.RC);
    QueuePair b = hosts.b().create(QpType.RC);
    hosts.connect(a, 1, b);
    return post(hosts, a);
  }

  private static String sendWithoutTheAddress(ExplainedHosts hosts) {
    hosts.a().device().addAddress(1, ExplainedHosts.STRANGER);
    QueuePair a = hosts.a().create(QpType.RC);
    QueuePair b = hosts.b().create(QpType.RC);
    hosts.connect(a, 1, b);
    hosts.a().device().removeAddress(1, ExplainedHosts.STRANGER);
    return post(hosts, a);
  }

  /** A datagram to a queue pair with a receive of so many bytes; without one if negative. */
  private static Act datagram(int bytes, int destQpn, int qkey, int room) {
    return hosts -> {
      QueuePair b = hosts.b().datagrams(1);
      if (room >= 0) {
        b.postRecv(RecvWr.of(9, hosts.b().region().sge(0, room)));
      }
      hosts.sendDatagram(bytes, destQpn, qkey);
      return "";
    };
  }

  private static Act datagramTo(QpType type) {
    return hosts -> {
      QueuePair other = hosts.b().create(type);
      hosts.sendDatagram(64, other.qpNum(), ExplainedHosts.QKEY);
      return "";
    };
  }

  private static String datagramToPort(ExplainedHosts hosts, int portNum) {
    QueuePair other = hosts.b().datagrams(portNum);
    hosts.sendDatagram(64, other.qpNum(), ExplainedHosts.QKEY);
    return "";
  }

  /** A WRITE of two packets over an unreliable connection. */
  private static Act unreliable(EnumSet<AccessFlag> flagsOfB) {
    return hosts -> {
      QueuePair a = hosts.a().create(QpType.UC);
      QueuePair b = hosts.b().create(QpType.UC);
      hosts.connect(a, b, flagsOfB, attr -> attr);
      MemoryRegion target = hosts.b().region();
      a.postSend(
          SendWr.rdmaWrite(1, target.addr(), target.rkey(), hosts.a().region().sge(0, 2048)));
      assertThat(hosts.await(hosts.a()).isSuccess()).isTrue();
      return "";
    };
  }

  static Stream<Arguments> reasonsAndNetworks() {
    return ExplainedHosts.onAllNetworks(DropReason.values());
  }

  @ParameterizedTest
  @MethodSource("reasonsAndNetworks")
  void bothEndsNameTheNumbers(DropReason reason, Network network) {
    Row row = rowOf(reason);
    try (ExplainedHosts hosts = new ExplainedHosts(network, row.plan)) {
      String explanation = hosts.comparable(row.act.on(hosts));

      assertThat(explanation).isEqualTo(row.requester.orElse(""));
      if (row.line.isPresent()) {
        assertThat(hosts.comparable(hosts.line())).isEqualTo(row.line.get());
      } else {
        assertThat(hosts.lines()).isEmpty();
      }
      assertThat(hosts.drops(reason)).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(Network.class)
  void anOverrunNamesTheQueueAndTheCompletion(Network network) {
    try (ExplainedHosts hosts = new ExplainedHosts(network, "")) {
      hosts.retry(1);
      QueuePair a = hosts.a().create(QpType.RC);
      QueuePair b = hosts.b().create(QpType.RC);
      hosts.connect(a, b, attr -> attr);
      for (int i = 100; i <= 104; i++) {
        b.postRecv(RecvWr.of(i, hosts.b().region().sge(0, 64)));
      }
      String overrun = "the completion queue of 4 entries overran (wr_id 104 of queue pair 17)";

      for (int i = 0; i < 4; i++) {
        assertThat(post(hosts, a)).isEmpty();
      }
      String explanation = hosts.comparable(post(hosts, a));

      assertThat(hosts.comparable(hosts.line())).isEqualTo(overrun);
      assertThat(explanation).endsWith("It is in ERR, because " + overrun + ".");
    }
  }

  @ParameterizedTest
  @EnumSource(Network.class)
  void whatRecursIsSaidTheTenthTimeAgain(Network network) {
    try (ExplainedHosts hosts = new ExplainedHosts(network, "")) {
      hosts.b().datagrams(1);
      for (int i = 0; i < 12; i++) {
        hosts.sendDatagram(8, ExplainedHosts.FIRST_QPN, ExplainedHosts.QKEY);
      }
      String line =
          (B + " dropped UD_SEND_ONLY for queue pair 17 from " + A + ": ")
              + (DropReason.NO_RECEIVE.text() + " It has 8 + 40 bytes (GRH).");

      assertThat(List.of(hosts.comparable(hosts.line()), hosts.comparable(hosts.line())))
          .containsExactly(line, line + " (10 times)");
    }
  }
}
