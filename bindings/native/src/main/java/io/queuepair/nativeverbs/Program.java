// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** A program that calls verbs. */
abstract class Program {
  private final HandleTable handles;

  /** Calls verbs about objects of a table, as far as they are of files that it has. */
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
