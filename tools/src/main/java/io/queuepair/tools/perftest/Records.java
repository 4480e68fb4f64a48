package io.queuepair.tools.perftest;

import java.util.ArrayList;
import java.util.List;

/** Keeps what is told, and tells it on. */
final class Records implements Report {
  private final Report next;
  private final List<Result> results = new ArrayList<>();
  private Agreement agreement;

  Records(Report next) {
    this.next = next;
  }

  @Override
  public void begin(Agreement newAgreement, List<Destination> locals) {
    agreement = newAgreement;
    next.begin(newAgreement, locals);
  }

  @Override
  public void peers(List<Destination> peers) {
    next.peers(peers);
  }

  @Override
  public void add(Result result) {
    results.add(result);
    next.add(result);
  }

  @Override
  public void end() {
    next.end();
  }

  Agreement agreement() {
    return agreement;
  }

  List<Result> results() {
    return results;
  }
}
