// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.ArrayList;
import java.util.List;

/** Keeps results, and passes them on. */
final class ReportCollector implements Report {
  private final Report next;
  private final List<Result> results = new ArrayList<>();
  private NegotiatedParameters parameters;

  ReportCollector(Report next) {
    this.next = next;
  }

  @Override
  public void begin(NegotiatedParameters newAgreement, List<PeerQp> locals) {
    parameters = newAgreement;
    next.begin(newAgreement, locals);
  }

  @Override
  public void peers(List<PeerQp> peers) {
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

  NegotiatedParameters parameters() {
    return parameters;
  }

  List<Result> results() {
    return results;
  }
}
