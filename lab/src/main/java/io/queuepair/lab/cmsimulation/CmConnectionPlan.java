// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.verbs.QpType;

/**
 * Plan of one connection.
 *
 * @param type RC: connected by REQ, REP, RTU; UD: looked up by SIDR
 * @param answer to the request
 * @param answerMillis how long the passive side takes for it
 * @param ending how the connection ends
 * @param endMillis how long after it is established, or after the request where the active side
 *     gives up
 * @param messages that each side sends once the connection is established
 */
public record CmConnectionPlan(
    QpType type, CmAnswer answer, int answerMillis, CmEnding ending, int endMillis, int messages) {

  /**
   * Replaces the answer.
   *
   * @param other to the request
   * @param millis how long the passive side takes for it
   * @return a changed copy
   */
  public CmConnectionPlan withAnswer(CmAnswer other, int millis) {
    return new CmConnectionPlan(type, other, millis, ending, endMillis, messages);
  }

  /**
   * Replaces the ending.
   *
   * @param other how the connection ends
   * @param millis after which time
   * @return a changed copy
   */
  public CmConnectionPlan withEnding(CmEnding other, int millis) {
    return new CmConnectionPlan(type, answer, answerMillis, other, millis, messages);
  }

  /**
   * Replaces the number of messages.
   *
   * @param number of messages that each side sends
   * @return a changed copy
   */
  public CmConnectionPlan withMessages(int number) {
    return new CmConnectionPlan(type, answer, answerMillis, ending, endMillis, number);
  }

  @Override
  public String toString() {
    return type
        + ", answer "
        + answer
        + " after "
        + answerMillis
        + " ms, end "
        + ending
        + " after "
        + endMillis
        + " ms, "
        + messages
        + " messages each way";
  }
}
