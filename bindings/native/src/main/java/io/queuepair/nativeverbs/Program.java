// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** A program that calls verbs. */
abstract class Program {
  private final HandleTable handles;

  /** Sets the table of handles; the program may use only those of its own open files. */
  Program(HandleTable handles) {
    this.handles = handles;
  }

  /** The program for which this thread works. */
  static Program current() {
    return ProgramThread.current().program();
  }

  final HandleTable handles() {
    return handles;
  }
}
