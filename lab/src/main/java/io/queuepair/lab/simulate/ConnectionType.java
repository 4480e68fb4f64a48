// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.Locale;

/** Which queue pairs a simulation has. */
enum ConnectionType {
  RC(QpType.RC),
  UC(QpType.UC),
  UD(QpType.UD),
  ALL(QpType.RC, QpType.UC, QpType.UD);

  private final List<QpType> types;

  ConnectionType(QpType... types) {
    this.types = List.of(types);
  }

  /** In turn. */
  List<QpType> types() {
    return types;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
