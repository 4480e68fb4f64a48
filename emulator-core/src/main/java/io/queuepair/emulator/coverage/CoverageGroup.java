// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.coverage;

import io.queuepair.verbs.QpType;

/** Groups of a {@link Coverage}. */
public enum CoverageGroup {
  /** States of queue pairs, by type; for example {@code RC SQD}. */
  STATE("states"),

  /** Changes of state, by type, whatever caused them; for example {@code UC RTS -> SQE}. */
  TRANSITION("transitions"),

  /** Opcodes of packets that were sent. */
  OPCODE_SENT("opcodes sent"),

  /** Opcodes of packets that a queue pair accepted; a dropped packet does not count. */
  OPCODE_RECEIVED("opcodes received"),

  /** Negative acknowledgements that were sent. */
  NAK_SENT("NAK codes sent"),

  /** Negative acknowledgements that a queue pair accepted. */
  NAK_RECEIVED("NAK codes received"),

  /** Statuses of completions. */
  STATUS("completion statuses"),

  /** Asynchronous events. */
  EVENT("asynchronous events"),

  /** Decisions of responders about requests. */
  CHECK("responder checks"),

  /** Why responders refused access to registered memory. */
  MEMORY_CHECK("memory checks"),

  /** Why packets were dropped, as {@code Emulator.drops} names the reasons. */
  DROP("drop reasons");

  /** Prefix of the opcodes of extended reliable connections, at both ends. */
  private static final String XRC = "XRC_";

  private final String text;

  CoverageGroup(String text) {
    this.text = text;
  }

  /**
   * Name of the group in a table.
   *
   * @return a few words, in the plural
   */
  public String text() {
    return text;
  }

  /** Whether a name of this group is about queue pairs of a type, or about all. */
  boolean isAbout(QpType type, String name) {
    return switch (this) {
      case STATE, TRANSITION -> name.startsWith(type + " ");
      case OPCODE_SENT, OPCODE_RECEIVED -> name.startsWith(opcodesOf(type));
      case NAK_SENT, NAK_RECEIVED, STATUS, EVENT, CHECK, MEMORY_CHECK, DROP -> true;
    };
  }

  private static String opcodesOf(QpType type) {
    return switch (type) {
      case XRC_SEND, XRC_RECV -> XRC;
      case RC, UC, UD, RAW_PACKET, DRIVER -> type + "_";
    };
  }
}
