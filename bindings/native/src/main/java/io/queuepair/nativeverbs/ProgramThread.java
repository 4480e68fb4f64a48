// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** A thread of the service, which works for one program at a time. */
final class ProgramThread extends Thread {

  /** Null before the first call. */
  private Program program;

  /** Open file that the present call is about, or null. */
  private OpenFile openFile;

  /** Descriptor passed to the program with the answer of the present call, or 0. */
  private int file;

  /** Handle of the connection manager file whose last event the present call has taken, or 0. */
  private long drained;

  ProgramThread(Runnable work, String name) {
    super(work, name);
    setDaemon(true);
  }

  static ProgramThread current() {
    return (ProgramThread) Thread.currentThread();
  }

  Program program() {
    return program;
  }

  OpenFile openFile() {
    return openFile;
  }

  /** Makes the thread work for a program, and on an open file; both may be null. */
  void workFor(Program newProgram, OpenFile newFile) {
    program = newProgram;
    openFile = newFile;
  }

  void pass(int descriptor) {
    file = descriptor;
  }

  int takeFile() {
    int taken = file;
    file = 0;
    return taken;
  }

  void drain(long handle) {
    drained = handle;
  }

  long takeDrained() {
    long taken = drained;
    drained = 0;
    return taken;
  }
}
