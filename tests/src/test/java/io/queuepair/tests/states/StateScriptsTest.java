// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.tests.suites.Script;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How work is flushed, drained and explained, and which events tell of it (ibv_modify_qp(3),
 * ibv_poll_cq(3), ibv_get_async_event(3)), for each type that it is true of.
 */
final class StateScriptsTest {
  static Stream<Script> scripts() {
    return Stream.of("drain.txt", "flush.txt", "event.txt", "explain.txt")
        .flatMap(file -> Script.of(StateScriptsTest.class, file));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scripts")
  void everyStepHolds(Script script) {
    StateRunner.run(script);
  }
}
