// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.conformance.FaultyFabric.FabricDatagram;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each packet of a message is lost, once or twice, and the queue pair has one retry. What the peer
 * acknowledges of the message in between is progress, after which the retry may be used again.
 */
final class RepeatedLossTest {
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.FLUSH_GLOBAL,
          AccessFlag.MW_BIND);

  private static final int MTU = 256;
  private static final int MOST_PACKETS = 5;
  private static final int PSN = Pair.PSN_A;
  private static final int REQUESTER = 1;
  private static final int RESPONDER = 2;
  private static final int ACKNOWLEDGE = 0x11;

  private static Predicate<FabricDatagram> first(int times, int sender, int psn) {
    int[] met = new int[1];
    return datagram -> datagram.sender() == sender && datagram.psn() == psn && met[0]++ < times;
  }

  private static FaultyFabric losing(Predicate<FabricDatagram> isLost) {
    return new FaultyFabric(
        datagram -> isLost.test(datagram) ? DatagramFate.DROP : DatagramFate.PASS);
  }

  private static Pair pair(FaultyFabric fabric) {
    return Pair.on(fabric).mtu(Mtu.MTU_256).access(RIGHTS).rts(attr -> attr.retryCnt(1)).connect();
  }

  /** A request for the first bytes of a region. */
  private static SendWr request(Pair pair, WrOpcode opcode, MemoryRegion target, int bytes) {
    MemoryRegion from = pair.a().region();
    long addr = target.addr();
    int rkey = target.rkey();
    SendWr.RemoteTarget word = new SendWr.RemoteTarget(addr, rkey);
    return switch (opcode) {
      case SEND -> SendWr.send(1, from.sge(0, bytes));
      case SEND_WITH_IMM -> SendWr.sendWithImm(1, 7, from.sge(0, bytes));
      case SEND_WITH_INV -> {
        Window window =
            Window.bound(pair, pair.b(), MwType.TYPE_2, Window.over(target, Window.ALL_REMOTE));
        yield SendWr.sendWithInv(1, window.rkey(), from.sge(0, bytes));
      }
      case RDMA_WRITE -> SendWr.rdmaWrite(1, addr, rkey, from.sge(0, bytes));
      case RDMA_WRITE_WITH_IMM -> SendWr.rdmaWriteWithImm(1, addr, rkey, 7, from.sge(0, bytes));
      case RDMA_READ -> SendWr.rdmaRead(1, addr, rkey, from.sge(0, bytes));
      case ATOMIC_CMP_AND_SWP -> SendWr.compareAndSwap(1, word, 0, 3, from.sge(0, 8));
      case ATOMIC_FETCH_AND_ADD -> SendWr.fetchAndAdd(1, word, 3, from.sge(0, 8));
      case ATOMIC_WRITE ->
          new AtomicWriteWr(1, List.of(from.sge(0, 8)), Set.of(SendFlag.SIGNALED), addr, rkey);
      case FLUSH ->
          new FlushWr(
              1,
              Set.of(SendFlag.SIGNALED),
              addr,
              rkey,
              64,
              Set.of(PlacementType.GLOBAL),
              SelectivityLevel.RANGE);
      case LOCAL_INV, BIND_MW, TSO, DRIVER1 -> throw new AssertionError(opcode);
    };
  }

  /** The PSNs of the ACKs and NAKs, each of several in a row once. */
  private static List<Integer> acknowledged(FaultyFabric fabric) {
    List<Integer> psns =
        fabric.seen().stream()
            .filter(datagram -> datagram.sender() == RESPONDER)
            .filter(datagram -> datagram.opcode() == ACKNOWLEDGE)
            .map(FabricDatagram::psn)
            .toList();
    return IntStream.range(0, psns.size())
        .filter(i -> i == 0 || !psns.get(i).equals(psns.get(i - 1)))
        .mapToObj(psns::get)
        .toList();
  }

  private record Outcome(WcStatus status, List<Integer> acknowledged) {}

  private static Outcome lose(FaultyFabric fabric, WrOpcode opcode, int packets) {
    try (Pair pair = pair(fabric)) {
      MemoryRegion target = pair.b().register(MOST_PACKETS * MTU, RIGHTS);
      target.buffer().putLong(0, 0);
      pair.b().postRecv(RecvWr.of(11, pair.b().region().sge()));

      pair.a().postSend(request(pair, opcode, target, packets * MTU));
      pair.drain();

      List<WorkCompletion> sends = pair.a().sendCompletions();
      assertThat(sends).hasSize(1);
      return new Outcome(sends.get(0).status(), acknowledged(fabric));
    }
  }

  /** Operations with a response of their own, with the number of its packets. */
  static Stream<Arguments> responses() {
    Stream<Arguments> reads =
        IntStream.rangeClosed(1, MOST_PACKETS)
            .mapToObj(packets -> Arguments.of(WrOpcode.RDMA_READ, packets));
    Stream<Arguments> others =
        Stream.of(
                WrOpcode.ATOMIC_CMP_AND_SWP,
                WrOpcode.ATOMIC_FETCH_AND_ADD,
                WrOpcode.ATOMIC_WRITE,
                WrOpcode.FLUSH)
            .map(opcode -> Arguments.of(opcode, 1));
    return Stream.concat(reads, others);
  }

  @ParameterizedTest
  @MethodSource("responses")
  void aRequestAndAPacketOfItsResponseMayBeLostOnce(WrOpcode opcode, int packets) {
    Outcome request = lose(losing(first(1, REQUESTER, PSN)), opcode, packets);
    Outcome requestTwice = lose(losing(first(2, REQUESTER, PSN)), opcode, packets);

    assertThat(request.status).isEqualTo(WcStatus.SUCCESS);
    assertThat(requestTwice.status).isEqualTo(WcStatus.RETRY_EXC_ERR);
    for (int lost = 0; lost < packets; lost++) {
      Outcome once = lose(losing(first(1, RESPONDER, PSN + lost)), opcode, packets);
      Outcome twice = lose(losing(first(2, RESPONDER, PSN + lost)), opcode, packets);

      assertThat(once.status).isEqualTo(WcStatus.SUCCESS);
      assertThat(once.acknowledged).isEmpty();
      assertThat(twice.status).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }
  }
}
