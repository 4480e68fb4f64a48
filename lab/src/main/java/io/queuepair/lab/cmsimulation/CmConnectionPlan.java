// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.verbs.QpType;

/**
 * Plan of one connection.
 *
 * @param type RC: connected by REQ, REP and RTU; UD: looked up by SIDR
 * @param answerMillis time from the request to the answer of the passive side
 * @param endMillis time from ESTABLISHED to the end; for {@link CmEnding#ACTIVE_GIVES_UP} from the
 *     request
 * @param messages number that each side sends
 */
public record CmConnectionPlan(
    QpType type, CmAnswer answer, int answerMillis, CmEnding ending, int endMillis, int messages) {

  public CmConnectionPlan withAnswer(CmAnswer other, int millis) {
    return new CmConnectionPlan(type, other, millis, ending, endMillis, messages);
  }

  public CmConnectionPlan withEnding(CmEnding other, int millis) {
    return new CmConnectionPlan(type, answer, answerMillis, other, millis, messages);
  }

  public CmConnectionPlan withMessages(int number) {
    return new CmConnectionPlan(type, answer, answerMillis, ending, endMillis, number);
  }

  @Override
  public String toString() {
    return String.format(
        "%s, answer %s after %d ms, end %s after %d ms, %d messages each way",
        type, answer, answerMillis, ending, endMillis, messages);
  }
}
