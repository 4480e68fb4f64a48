// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.verbs.QpType;

/**
 * Plan of one connection.
 *
 * @param type RC: connected by REQ, REP, RTU; UD: looked up by SIDR
 * @param answerMillis how long the passive side takes for it
 * @param endMillis how long after it is established, or after the request where the active side
 *     gives up
 */
public record CmConnectionPlan(
    QpType type, CmAnswer answer, int answerMillis, CmEnding ending, int endMillis, int messages) {

  /** A copy with another answer, after another time. */
  public CmConnectionPlan withAnswer(CmAnswer other, int millis) {
    return new CmConnectionPlan(type, other, millis, ending, endMillis, messages);
  }

  /** A copy with another ending, after another time. */
  public CmConnectionPlan withEnding(CmEnding other, int millis) {
    return new CmConnectionPlan(type, answer, answerMillis, other, millis, messages);
  }

  /** A copy with other messages of each side. */
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
