// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.QpTypeConverter;
import io.queuepair.verbs.QpType;

/** Transport services by the names of {@code -c}: XRC is the type that sends. */
final class TransportConverter extends QpTypeConverter {
  TransportConverter(Benchmark benchmark) {
    super("is not one that " + benchmark.commandName() + " has:", benchmark.operation().services());
  }

  static String nameOf(QpType service) {
    return service == QpType.XRC_SEND ? "XRC" : service.name();
  }

  @Override
  protected String name(QpType type) {
    return nameOf(type);
  }
}
