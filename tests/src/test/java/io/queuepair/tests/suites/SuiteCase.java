// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One row of a table of cases: what is special about the two sides, what is done, which completions
 * each side gets, and what else must hold. Anything not said is as in {@link ConnectedPair}.
 */
final class SuiteCase {
  private final String id;
  private final QpType type;
  private String variant = "";
  private int bytes = ConnectedPair.PAGE;
  private UnaryOperator<Pair.Builder> setup = builder -> builder;
  private Consumer<ConnectedPair> stimulus;
  private List<String> sends = List.of();
  private List<String> receives = List.of();
  private Consumer<ConnectedPair> check = bed -> {};
  private boolean needsVirtualTime;

  private SuiteCase(String id, QpType type) {
    this.id = id;
    this.type = type;
  }

  /** Of a reliable connection. */
  static SuiteCase of(String id) {
    return new SuiteCase(id, QpType.RC);
  }

  static SuiteCase ofDatagrams(String id) {
    return new SuiteCase(id, QpType.UD);
  }

  /** Which of several rows of that name. */
  SuiteCase variant(String newVariant) {
    variant = " " + newVariant;
    return this;
  }

  /** Size of the memory of each side. */
  SuiteCase bytes(int newBytes) {
    bytes = newBytes;
    return this;
  }

  SuiteCase given(UnaryOperator<Pair.Builder> newSetup) {
    setup = newSetup;
    return this;
  }

  SuiteCase when(Consumer<ConnectedPair> newStimulus) {
    stimulus = newStimulus;
    return this;
  }

  /** What the local side completes, see {@link io.queuepair.tests.conformance.Outcomes}. */
  SuiteCase sends(String... outcomes) {
    sends = List.of(outcomes);
    return this;
  }

  /** What the remote side completes. */
  SuiteCase receives(String... outcomes) {
    receives = List.of(outcomes);
    return this;
  }

  SuiteCase then(Consumer<ConnectedPair> newCheck) {
    check = newCheck;
    return this;
  }

  /** Waits for a timer that is too long for real time. */
  SuiteCase inVirtualTime() {
    needsVirtualTime = true;
    return this;
  }

  String id() {
    return id;
  }

  boolean needsVirtualTime() {
    return needsVirtualTime;
  }

  /** Runs it between two new devices of a network. */
  void run(Pair.Builder network) {
    Pair.Builder usual =
        type == QpType.UD ? ConnectedPair.datagrams(network) : ConnectedPair.reliable(network);
    try (ConnectedPair bed = new ConnectedPair(setup.apply(usual).connect(), bytes)) {
      stimulus.accept(bed);
      bed.expect(sends, receives);
      check.accept(bed);
    }
  }

  @Override
  public String toString() {
    return id + variant;
  }
}
