// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import io.queuepair.tools.transitions.TransitionReplay.Answer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import java.util.Optional;

/** Known reasons why a device that follows the specification answers differently from Soft-RoCE. */
enum DifferenceKind {
  RATE_LIMIT(
      "EINVAL instead of EOPNOTSUPP for a mask with `RATE_LIMIT`",
      "The attribute exists; no transition of the type takes it. Linux refuses to look at it at"
          + " all, as its device has no packet pacing."),
  RESET_TO_ERROR(
      "RESET -> ERR is allowed",
      "InfiniBand Network Architecture (T. Shanley), chapter 12, says both: that software may"
          + " command ERR from any other state, and of RESET that INIT is the only valid next"
          + " state. The page on the QP state machine of rdmamojo.com says from any state. The"
          + " default follows the rule for all states, Linux the one for RESET."),
  EMPTY_MASK(
      "An empty mask does nothing, also in RTR",
      "Nothing is asked for, so nothing can be wrong. Linux looks it up as RTR -> RTR, which does"
          + " not exist."),
  CAPACITIES(
      "`CAP` resizes the queues in INIT, RTR, RTS and SQD",
      "The man page allows it on devices that report `RESIZE_MAX_WR`, which this one does. The"
          + " table of Linux does not have it."),
  ALTERNATE_PATH(
      "`ALT_PATH` is taken",
      "The transitions list it, and the device reports `AUTO_PATH_MIG`. Linux keeps path migration"
          + " for InfiniBand ports."),
  PORT_OF_ADDRESS(
      "`AV` gives a UC queue pair in SQD another path",
      "The transition lists it, in the table of Linux too. But Linux adds `PORT` to such a mask,"
          + " which the row does not have, and so refuses what its table allows."),
  UNEXPLAINED("Anything else", "It has no explanation yet.");

  private final String what;
  private final String reason;

  DifferenceKind(String what, String reason) {
    this.what = what;
    this.reason = reason;
  }

  String what() {
    return what;
  }

  String reason() {
    return reason;
  }

  /** Classifies a difference between a recorded answer and the emulator's. */
  static DifferenceKind of(RecordedCall call, Answer ours) {
    Optional<Errno> recorded = call.answer().errno();
    Optional<Errno> invalid = Optional.of(Errno.EINVAL);
    if (recorded.equals(Optional.of(Errno.EOPNOTSUPP)) && ours.errno().equals(invalid)) {
      return RATE_LIMIT;
    }
    if (!recorded.equals(invalid) || !ours.isSuccess()) {
      return UNEXPLAINED;
    }
    if (call.mask().isEmpty()) {
      return EMPTY_MASK;
    }
    if (call.from() == QpState.RESET && ours.after() == QpState.ERR) {
      return RESET_TO_ERROR;
    }
    if (call.mask().contains(QpAttrMask.ALT_PATH)) {
      return ALTERNATE_PATH;
    }
    if (call.mask().contains(QpAttrMask.CAP)) {
      return CAPACITIES;
    }
    boolean bringsPort =
        call.from() == QpState.SQD
            && call.mask().contains(QpAttrMask.AV)
            && !call.mask().contains(QpAttrMask.PORT);
    return bringsPort ? PORT_OF_ADDRESS : UNEXPLAINED;
  }
}
