// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.rdmacm.RdmaCm;

/**
 * Puts emulated devices behind DiSNI, in the place of its native library. Nothing of DiSNI may have
 * been used before. Without a call: the JAR as {@code -javaagent}, or on the class path of JUnit
 * tests.
 *
 * <p>Devices are described by system properties: {@code queuepair.disni.network}, {@code memory} or
 * {@code udp}; {@code queuepair.disni.addresses}, separated by commas, by default {@code
 * 10.0.0.1,10.0.0.2} in memory; {@code queuepair.disni.faults}, a fault plan; {@code
 * queuepair.disni.capture}, a pcapng file. They live as long as the process.
 */
public final class DisniEmulation {
  private static boolean isInstalled;

  private DisniEmulation() {}

  /**
   * Installs devices as the system properties describe them. Does nothing if some are installed.
   *
   * @throws IllegalArgumentException naming the property that is wrong
   * @throws IllegalStateException if DiSNI is in use already
   */
  public static void install() {
    install("");
  }

  /**
   * Installs devices as arguments of the agent and the system properties describe them.
   *
   * @param arguments {@code name=value}, separated by semicolons
   */
  static synchronized void install(String arguments) {
    if (!isInstalled) {
      DisniSettings settings = DisniSettings.of(arguments, System::getProperty);
      install(settings.open(), settings.retries());
    }
  }

  /**
   * Installs a connection manager of devices that the program has made itself: {@code
   * Emulator.rdmaCm}.
   *
   * @param cm the connection manager; its network runs in real time
   * @throws IllegalStateException if DiSNI is in use already
   */
  public static void install(RdmaCm cm) {
    install(cm, 0);
  }

  private static synchronized void install(RdmaCm cm, int retries) {
    if (!isInstalled) {
      ReplacementClasses.define();
      isInstalled = true;
    }
    new DisniRdmaProvider(cm, retries).install();
  }
}
