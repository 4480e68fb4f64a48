// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

/** Queue pairs of one side, numbered from 0; each has a partner at the other side. */
interface PingpongQueuePairs {
  int count();

  /** Index of the queue pair of a completion. */
  int indexOf(int qpNum);

  /** Posts receives, to a queue pair or to the queue that all share. */
  void postReceives(int count);

  void postSend(int index);
}
