// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.udp.UdpFabric;
import java.lang.annotation.Annotation;

/** Which network a test has; each constant belongs to an annotation. */
enum NetworkKind {
  VIRTUAL(Virtual.class, "in memory, virtual time"),
  REAL_TIME(RealTime.class, "in memory, real time"),
  UDP(Udp.class, "UDP");

  private final Class<? extends Annotation> annotation;
  private final String text;

  NetworkKind(Class<? extends Annotation> annotation, String text) {
    this.annotation = annotation;
    this.text = text;
  }

  Class<? extends Annotation> annotation() {
    return annotation;
  }

  Fabric open() {
    return switch (this) {
      case VIRTUAL -> InMemoryFabric.virtualTime();
      case REAL_TIME -> InMemoryFabric.realTime();
      case UDP -> UdpFabric.open();
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
