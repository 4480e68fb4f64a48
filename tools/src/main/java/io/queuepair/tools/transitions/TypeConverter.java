// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.cli.QpTypeConverter;

/** The types of queue pairs that have a table of transitions. */
final class TypeConverter extends QpTypeConverter {
  TypeConverter() {
    super("is not one of", TransitionTable.types());
  }
}
