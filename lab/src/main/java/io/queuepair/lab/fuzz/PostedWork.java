// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

/**
 * What a queue pair under test has posted.
 *
 * @param receives possibly of several queue pairs under test
 * @param windows bound by it, or null
 */
record PostedWork(SendReplenisher sends, ReceiveReplenisher receives, Windows windows)
    implements QpUnderTest.Replenishers {
  @Override
  public void revived() {
    sends.revived();
    receives.revived();
  }

  @Override
  public void topUp(boolean sendsToo) {
    receives.topUp();
    if (sendsToo) {
      sends.topUp();
    }
  }

  @Override
  public void connected() {
    if (windows != null) {
      windows.bind(sends);
    }
  }
}
