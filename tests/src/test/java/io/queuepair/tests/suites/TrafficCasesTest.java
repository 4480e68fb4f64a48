// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.suites.OperationStream.StreamKind;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many operations on connections of one device that share their completion queues; all data is
 * compared. The suites repeat some a million times, on up to a thousand connections; here they are
 * repeated until every ring has gone round.
 */
final class TrafficCasesTest {
  private static final int CQE = 1 << 13;

  /**
   * The kinds take turns.
   *
   * @param window operations in flight of each connection
   * @param bytes of each operation that is no atomic
   * @param rounds how often connections come and go
   */
  @ParameterizedTest
  @CsvSource({
    "ConstantOpTest,         1, 32,    32, 100, 1, SEND",
    "ConstantOpTest,         1, 32, 16384, 100, 1, SEND",
    "ConstantOpTest,         1, 32,    32, 100, 1, READ",
    "ConstantOpTest,         1, 32, 16384, 100, 1, READ",
    "ConstantOpTest,         1, 32,    32, 100, 1, WRITE",
    "ConstantOpTest,         1, 32, 16384, 100, 1, WRITE",
    "ConstantOpTest,         1, 32,     8, 100, 1, FETCH_ADD",
    "ConstantOpTest,         1, 32,     8, 100, 1, SWAP",
    "ConstantOpTest,        20,  4,  2048,  10, 1, SEND",
    "ConstantOpTest,        20,  4,  2048,  10, 1, READ",
    "ConstantOpTest,        20,  4,  2048,  10, 1, WRITE",
    "MixedOpsTest,           1,  1, 16384, 100, 1, SEND READ WRITE FETCH_ADD SWAP NO_SWAP",
    "MixedOpsTest,           1, 32,  2048, 100, 1, WRITE SEND READ",
    "MixedOpsTest,          20, 32, 16384, 100, 1, READ FETCH_ADD SEND NO_SWAP WRITE SWAP",
    "SimpleRdmaTest,         5, 10,    32,  20, 1, SWAP NO_SWAP",
    "StabilityDurationTest, 10, 10,     8, 100, 1, SEND WRITE FETCH_ADD READ",
    "StabilityResourceTest, 10, 10,     8,  20, 5, WRITE READ SWAP SEND",
    "StressTest,           100, 32,    32, 100, 1, WRITE"
  })
  void everyOperationCompletesInOrderAndDoesWhatItShould(
      String name, int qps, int window, int bytes, int operations, int rounds, String kindNames) {
    List<StreamKind> kinds = Stream.of(kindNames.split(" ")).map(StreamKind::valueOf).toList();
    LinkForm form = qps > 1 ? LinkForm.OBJECTS : LinkForm.WIRE_EXACT;
    try (SuiteHost host = new SuiteHost(form.fabric(), qps * window * bytes)) {
      for (int round = 0; round < rounds; round++) {
        CompletionQueue near = host.createCq(CQE);
        CompletionQueue far = host.createCq(CQE);
        Map<Integer, OperationStream> byNear = new TreeMap<>();
        Map<Integer, OperationStream> byFar = new TreeMap<>();
        for (int i = 0; i < qps; i++) {
          var target = new OperationStream.StreamTarget(i, window, bytes);
          OperationStream stream = new OperationStream(host, host.link(near, far), target, kinds);
          byNear.put(stream.link().near().qpNum(), stream);
          byFar.put(stream.link().far().qpNum(), stream);
        }
        while (byNear.values().stream().anyMatch(stream -> stream.completed() < operations)) {
          byNear.values().forEach(stream -> stream.post(operations));
          host.drain();
          List<WorkCompletion> completions = near.poll(CQE);
          assertThat(completions).isNotEmpty();
          far.poll(CQE).forEach(wc -> byFar.get(wc.qpNum()).receive(wc));
          completions.forEach(wc -> byNear.get(wc.qpNum()).complete(wc));
        }
        byNear.values().forEach(OperationStream::assertAllReceived);
        host.assertNoNews();
        byNear.values().forEach(stream -> stream.link().close());
        near.close();
        far.close();
      }
    }
  }
}
