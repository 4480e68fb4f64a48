package io.queuepair.tests.cases;

import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One row of a table of cases: what is special about the two sides, what is done, which completions
 * each side gets, and what else must hold. Anything not said is as in {@link Bed}.
 */
final class Case {
  private final String id;
  private final QpType type;
  private String variant = "";
  private int bytes = Bed.PAGE;
  private UnaryOperator<Pair.Builder> setup = builder -> builder;
  private Consumer<Bed> stimulus;
  private List<String> sends = List.of();
  private List<String> receives = List.of();
  private Consumer<Bed> check = bed -> {};
  private boolean needsVirtualTime;

  private Case(String id, QpType type) {
    this.id = id;
    this.type = type;
  }

  /** Of a reliable connection. */
  static Case of(String id) {
    return new Case(id, QpType.RC);
  }

  static Case ofDatagrams(String id) {
    return new Case(id, QpType.UD);
  }

  /** Which of several rows of that name. */
  Case variant(String newVariant) {
    variant = " " + newVariant;
    return this;
  }

  /** Size of the memory of each side. */
  Case bytes(int newBytes) {
    bytes = newBytes;
    return this;
  }

  Case given(UnaryOperator<Pair.Builder> newSetup) {
    setup = newSetup;
    return this;
  }

  Case when(Consumer<Bed> newStimulus) {
    stimulus = newStimulus;
    return this;
  }

  /** What the local side completes, see {@link io.queuepair.tests.conformance.Outcomes}. */
  Case sends(String... outcomes) {
    sends = List.of(outcomes);
    return this;
  }

  /** What the remote side completes. */
  Case receives(String... outcomes) {
    receives = List.of(outcomes);
    return this;
  }

  Case then(Consumer<Bed> newCheck) {
    check = newCheck;
    return this;
  }

  /** Waits for a timer that is too long for real time. */
  Case inVirtualTime() {
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
    Pair.Builder usual = type == QpType.UD ? Bed.datagrams(network) : Bed.reliable(network);
    try (Bed bed = new Bed(setup.apply(usual).connect(), bytes)) {
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
