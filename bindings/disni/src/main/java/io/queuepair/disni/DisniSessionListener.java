// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Installs the devices before JUnit loads a test class. {@code -Dqueuepair.disni=off} leaves DiSNI
 * as it is.
 */
public final class DisniSessionListener implements LauncherSessionListener {
  private static final String OFF = "off";

  /** For the service loader. */
  public DisniSessionListener() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (!OFF.equals(System.getProperty("queuepair.disni")) && isDisniThere()) {
      DisniEmulation.install();
    }
  }

  /** Programs bring DiSNI with them; where there is none, nothing is to be done. */
  private static boolean isDisniThere() {
    String provider = "com/ibm/disni/verbs/RdmaProvider.class";
    return DisniSessionListener.class.getClassLoader().getResource(provider) != null;
  }
}
