// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.engine.RequestStatus;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.faults.ExplainedHosts.Host;
import io.queuepair.tests.faults.ExplainedHosts.Network;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SendWr.RemoteTarget;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcdInitAttr;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused request is explained at both ends, with the numbers that decided. */
@Timeout(60)
final class RefusalExplanationTest {
  private static final int NO_KEY = 0x7fffff00;

  /**
   * How a request comes to a status, and what both ends say then.
   *
   * @param plan what is done to the request on its way
   * @param flags the access flags of the responder
   * @param rtr what differs in its RTR
   * @param post posts the receive, if any, and the request
   * @param status how the request completes
   * @param requester what its explanation contains
   * @param responder what the responder says behind the names; null for nothing
   */
  private record Row(
      String plan,
      Set<AccessFlag> flags,
      UnaryOperator<QpAttr> rtr,
      BiConsumer<ExplainedHosts, QueuePair[]> post,
      WcStatus status,
      Function<ExplainedHosts, String> requester,
      Function<ExplainedHosts, String> responder) {

    static Row of(BiConsumer<ExplainedHosts, QueuePair[]> post, WcStatus status) {
      return new Row(
          "", Attributes.DATA_RIGHTS, UnaryOperator.identity(), post, status, hosts -> "", null);
    }

    Row plan(String newPlan) {
      return new Row(newPlan, flags, rtr, post, status, requester, responder);
    }

    Row flags(Set<AccessFlag> newFlags) {
      return new Row(plan, newFlags, rtr, post, status, requester, responder);
    }

    Row rtr(UnaryOperator<QpAttr> newRtr) {
      return new Row(plan, flags, newRtr, post, status, requester, responder);
    }

    Row says(String text) {
      return new Row(plan, flags, rtr, post, status, hosts -> text, responder);
    }

    Row answers(String text) {
      return new Row(plan, flags, rtr, post, status, requester, hosts -> text);
    }

    /** Both say the same, the requester as the reason of a NAK. */
    Row bothSay(Function<ExplainedHosts, String> reason) {
      return new Row(
          plan, flags, rtr, post, status, hosts -> "; its reason: " + reason.apply(hosts), reason);
    }

    Row bothSay(String reason) {
      return bothSay(hosts -> reason);
    }
  }

  private static Row rowOf(RequestStatus requestStatus) {
    return switch (requestStatus) {
      case ACCEPT -> Row.of(send(64, 64), WcStatus.SUCCESS);
      case PSN_SEQUENCE_GAP ->
          Row.of(send(64, 64), WcStatus.RETRY_EXC_ERR)
              .plan("set psn +1 SEND")
              .says(
                  "the peer reports packets missing from PSN 100 on, and RETRY_CNT is 0."
                      + " 1 packet rewritten: set psn +1 SEND.");
      case RECEIVER_NOT_READY ->
          Row.of(send(64, -1), WcStatus.RNR_RETRY_EXC_ERR)
              .says("the peer had no receive posted for PSN 100, and RNR_RETRY is 0")
              .answers("RC_SEND_ONLY for now: the packet needs a receive and none is posted");
      case BAD_OPCODE_SEQUENCE ->
          Row.of(send(2048, 4096), WcStatus.REM_INV_REQ_ERR)
              .rtr(attr -> attr.rqPsn(ExplainedHosts.SQ_PSN + 1))
              .bothSay(
                  "RC_SEND_LAST, PSN 101: a message starts inside another, or continues without"
                      + " having started: none has begun");
      case OPERATION_NOT_ENABLED ->
          Row.of(write(0, 64), WcStatus.REM_INV_REQ_ERR)
              .flags(EnumSet.of(AccessFlag.REMOTE_READ))
              .bothSay(
                  "RC_RDMA_WRITE_ONLY, PSN 100: the queue pair was not given the access right for"
                      + " the operation: it has [REMOTE_READ]");
      case TOO_MANY_OUTSTANDING ->
          Row.of(RefusalExplanationTest::read, WcStatus.REM_INV_REQ_ERR)
              .rtr(attr -> attr.maxDestRdAtomic(0))
              .bothSay(
                  "RC_RDMA_READ_REQUEST, PSN 100: more READs and atomics are outstanding than"
                      + " MAX_DEST_RD_ATOMIC: that is 0");
      case BAD_LENGTH ->
          Row.of(send(1000, 4096), WcStatus.REM_INV_REQ_ERR)
              .rtr(attr -> attr.pathMtu(Mtu.MTU_512))
              .bothSay(
                  "RC_SEND_ONLY, PSN 100: the payload does not fit opcode, path MTU, or the length"
                      + " announced: 1000 bytes at a path MTU of 512");
      case MISALIGNED_ATOMIC ->
          Row.of(RefusalExplanationTest::misalignedAtomic, WcStatus.REM_INV_REQ_ERR)
              .bothSay(
                  hosts ->
                      "RC_FETCH_ADD, PSN 100: the address of an atomic is not a multiple of 8: it"
                          + " is 0x"
                          + hex(hosts.b().region().addr() + 4));
      case NO_SUCH_SRQ ->
          Row.of(
                  (hosts, qps) -> qps[0].postSend(SendWr.send(1, sge(hosts, 64)).toSrq(77)),
                  WcStatus.REM_INV_REQ_ERR)
              .bothSay(
                  "XRC_SEND_ONLY, PSN 100: no shared receive queue of the XRC domain has that"
                      + " number: it is 77");
      case REMOTE_ACCESS -> writeBeyondTheRegion();
      case CANNOT_INVALIDATE ->
          Row.of(RefusalExplanationTest::invalidate, WcStatus.REM_ACCESS_ERR)
              .bothSay(
                  "RC_SEND_ONLY_WITH_INVALIDATE, PSN 100: invalidation of a key: 0x7fffff00: the"
                      + " key names no memory window");
      case MESSAGE_TOO_LONG ->
          Row.of(send(64, 4), WcStatus.REM_INV_REQ_ERR)
              .bothSay(
                  "RC_SEND_ONLY, PSN 100: the message is longer than the receive that was posted:"
                      + " 64 bytes do not fit a receive of 4");
      case RECEIVE_PROTECTION ->
          Row.of(RefusalExplanationTest::sendToABadReceive, WcStatus.REM_OP_ERR)
              .bothSay(
                  "RC_SEND_ONLY, PSN 100: memory of the posted receive: the key names no registered"
                      + " memory: 64 bytes from 0x1234 on by lkey 0x7fffff00");
    };
  }

  private static Row writeBeyondTheRegion() {
    return Row.of(write(4033, 64), WcStatus.REM_ACCESS_ERR)
        .bothSay(
            hosts ->
                "RC_RDMA_WRITE_ONLY, PSN 100: access to remote memory: the range is not"
                    + " inside the registered memory: REMOTE_WRITE of 64 bytes from 0x"
                    + hex(hosts.b().region().addr() + 4033)
                    + " on by rkey "
                    + key(hosts.b().region().rkey())
                    + hosts.b().regionInWords());
  }

  private static String hex(long addr) {
    return Long.toHexString(addr);
  }

  private static String key(int key) {
    return String.format("0x%08x", key);
  }

  private static Sge sge(ExplainedHosts hosts, int bytes) {
    return hosts.a().region().sge(0, bytes);
  }

  /** A SEND; no receive is posted if its room is negative. */
  private static BiConsumer<ExplainedHosts, QueuePair[]> send(int bytes, int room) {
    return (hosts, qps) -> {
      if (room >= 0) {
        qps[1].postRecv(RecvWr.of(9, hosts.b().region().sge(0, room)));
      }
      qps[0].postSend(SendWr.send(1, sge(hosts, bytes)));
    };
  }

  private static BiConsumer<ExplainedHosts, QueuePair[]> write(int offset, int bytes) {
    return (hosts, qps) -> {
      MemoryRegion target = hosts.b().region();
      qps[0].postSend(
          SendWr.rdmaWrite(1, target.addr() + offset, target.rkey(), sge(hosts, bytes)));
    };
  }

  private static void read(ExplainedHosts hosts, QueuePair[] qps) {
    MemoryRegion source = hosts.b().region();
    qps[0].postSend(SendWr.rdmaRead(1, source.addr(), source.rkey(), sge(hosts, 64)));
  }

  private static void misalignedAtomic(ExplainedHosts hosts, QueuePair[] qps) {
    MemoryRegion target = hosts.b().region();
    RemoteTarget misaligned = new RemoteTarget(target.addr() + 4, target.rkey());
    qps[0].postSend(SendWr.fetchAndAdd(1, misaligned, 1, sge(hosts, 8)));
  }

  private static void invalidate(ExplainedHosts hosts, QueuePair[] qps) {
    qps[1].postRecv(RecvWr.of(9, hosts.b().region().sge()));
    qps[0].postSend(SendWr.sendWithInv(1, NO_KEY, sge(hosts, 64)));
  }

  private static void sendToABadReceive(ExplainedHosts hosts, QueuePair[] qps) {
    qps[1].postRecv(RecvWr.of(9, new Sge(0x1234, 64, NO_KEY)));
    qps[0].postSend(SendWr.send(1, sge(hosts, 64)));
  }

  private static QueuePair[] queuePairs(ExplainedHosts hosts, RequestStatus requestStatus) {
    Host b = hosts.b();
    return requestStatus == RequestStatus.NO_SUCH_SRQ
        ? new QueuePair[] {
          hosts.a().create(QpType.XRC_SEND), b.context().openXrcd(XrcdInitAttr.PRIVATE).createQp()
        }
        : new QueuePair[] {hosts.a().create(QpType.RC), b.create(QpType.RC)};
  }

  static Stream<Arguments> statusesAndNetworks() {
    return ExplainedHosts.onAllNetworks(RequestStatus.values());
  }

  @ParameterizedTest
  @MethodSource("statusesAndNetworks")
  void bothEndsNameTheNumbers(RequestStatus requestStatus, Network network) {
    Row row = rowOf(requestStatus);
    try (ExplainedHosts hosts = new ExplainedHosts(network, row.plan)) {
      QueuePair[] qps = queuePairs(hosts, requestStatus);
      hosts.connect(qps[0], qps[1], row.flags, row.rtr);
      String names =
          String.format(
              "queue pair %d refused a request of queue pair %d of %s: ",
              qps[1].qpNum(), qps[0].qpNum(), ExplainedHosts.A);

      row.post.accept(hosts, qps);
      WorkCompletion completion = hosts.await(hosts.a());

      assertThat(completion.status()).isEqualTo(row.status);
      assertThat(completion.explain()).endsWith(row.requester.apply(hosts));
      if (row.responder != null) {
        assertThat(hosts.line()).isEqualTo(names + row.responder.apply(hosts));
      }
      assertThat(hosts.lines()).isEmpty();
    }
  }
}
