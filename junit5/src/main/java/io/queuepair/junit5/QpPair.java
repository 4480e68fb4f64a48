// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.Emulator;

/**
 * Two queue pairs of type RC in state RTS that are connected to each other: a at 10.0.0.1 and b at
 * 10.0.0.2. Parameters of this type with the same name are the same pair, as with {@link Host}; all
 * pairs of a network are between the same two devices.
 */
public final class QpPair {
  private final QpEndpoint a;
  private final QpEndpoint b;

  QpPair(QpEndpoint a, QpEndpoint b) {
    this.a = a;
    this.b = b;
    a.connect(b);
  }

  /** {@return the side at 10.0.0.1} */
  public QpEndpoint a() {
    return a;
  }

  /** {@return the side at 10.0.0.2} */
  public QpEndpoint b() {
    return b;
  }

  /** {@return the network that both are on} */
  public Emulator emulator() {
    return a.network().emulator();
  }

  @Override
  public String toString() {
    return a + " and " + b;
  }
}
