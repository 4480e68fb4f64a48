package io.queuepair.tools.fuzz;

/**
 * What a victim has posted.
 *
 * @param receives maybe of several victims
 * @param windows bound by it, or null
 */
record Work(SendSupply sends, ReceiveSupply receives, Windows windows) implements Victim.Supplies {
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
