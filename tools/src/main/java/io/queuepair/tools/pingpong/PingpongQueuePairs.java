// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

/** The queue pairs that one side plays with, numbered from 0; each has a partner. */
interface PingpongQueuePairs {
  int count();

  /** Which of them a completion is of. */
  int indexOf(int qpNum);

  /** Posts receives for whichever is sent to. */
  void postReceives(int count);

  void postSend(int index);
}
