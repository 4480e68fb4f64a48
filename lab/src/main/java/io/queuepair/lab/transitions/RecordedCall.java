// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import io.queuepair.tools.transitions.TransitionReplay.Answer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsConstant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Recorded call of {@code ibv_modify_qp} with its result: a line of a file with the tab-separated
 * columns type, state, requested state, mask, errno and state afterwards.
 */
record RecordedCall(
    int line, QpType type, QpState from, QpState to, Set<QpAttrMask> mask, Answer answer) {
  private static final int COLUMNS = 6;

  /** Thrown for a line that is not such a call. */
  static final class BrokenLine extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenLine(String message) {
      super(message);
    }
  }

  static RecordedCall parse(int line, String text) throws BrokenLine {
    String[] cells = text.split("\t", -1);
    if (cells.length != COLUMNS) {
      throw new BrokenLine(
          cells.length + " columns are not the 6 of type, cur, next, mask, errno, after");
    }
    QpType type = constant(QpType.class, cells[0]);
    QpState from = constant(QpState.class, cells[1]);
    QpState to = constant(QpState.class, cells[2]);
    Set<QpAttrMask> mask = mask(cells[3]);
    QpState after = constant(QpState.class, cells[5]);
    return new RecordedCall(line, type, from, to, mask, new Answer(errno(cells[4]), after));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) throws BrokenLine {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw new BrokenLine(
        "'" + name + "' is not one of " + Arrays.toString(type.getEnumConstants()));
  }

  private static Set<QpAttrMask> mask(String text) throws BrokenLine {
    int bits = number(text);
    Set<QpAttrMask> mask = VerbsConstant.flags(QpAttrMask.class, bits);
    int unknown = bits & ~VerbsConstant.mask(mask);
    if (unknown != 0) {
      throw new BrokenLine(
          "mask " + text + " has bits without a name: 0x" + Integer.toHexString(unknown));
    }
    return mask;
  }

  private static Optional<Errno> errno(String text) throws BrokenLine {
    int code = number(text);
    for (Errno errno : Errno.values()) {
      if (errno.code() == code) {
        return Optional.of(errno);
      }
    }
    if (code != 0) {
      throw new BrokenLine("errno " + text + " is not one that verbs return");
    }
    return Optional.empty();
  }

  private static int number(String text) throws BrokenLine {
    try {
      return Integer.decode(text);
    } catch (NumberFormatException malformed) {
      throw new BrokenLine("'" + text + "' is not a number");
    }
  }

  /** Description of the call, for example {@code RC RTR -> RTS with 0x12e01 (STATE, ...)}. */
  String question() {
    String names = mask.stream().map(Enum::name).collect(Collectors.joining(", ", "(", ")"));
    String bits = "0x" + Integer.toHexString(VerbsConstant.mask(mask));
    return type + " " + from + " -> " + to + " with " + bits + " " + names;
  }
}
