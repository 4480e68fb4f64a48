// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/** Listener for requests to a service; a limited number may wait for the program. */
public final class CmListener {
  private final int backlog;
  private int pending;
  private boolean isClosed;

  /**
   * Creates a listener without requests.
   *
   * @param backlog maximum number of requests that wait until the program takes them
   */
  public CmListener(int backlog) {
    this.backlog = backlog;
  }

  public void close() {
    isClosed = true;
  }

  public boolean isClosed() {
    return isClosed;
  }

  /** Number of requests that wait for the program to take them. */
  public int pending() {
    return pending;
  }

  boolean isFull() {
    return pending >= backlog;
  }

  void add() {
    pending++;
  }

  void remove() {
    assert pending > 0;
    pending--;
  }
}
