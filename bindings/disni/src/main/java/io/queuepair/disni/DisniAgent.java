// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/**
 * Java agent: {@code java -javaagent:queuepair-disni-all.jar=network=udp;addresses=127.0.0.2}.
 * Besides the installation it exports {@code sun.nio.ch}, which programs of DiSNI's time use
 * themselves.
 */
public final class DisniAgent {
  private DisniAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @param arguments settings, see {@link DisniEmulation}; null for none
   * @param instrumentation of this JVM
   */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("sun.nio.ch", Set.of(DisniAgent.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
    DisniEmulation.install(arguments == null ? "" : arguments);
  }
}
