// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** The {@link HandleTable} of the calling program, limited to the file that its call is about. */
final class Handles {
  private Handles() {}

  private static HandleTable table() {
    return Program.current().handles();
  }

  private static OpenFile file() {
    return ProgramThread.current().openFile();
  }

  static long add(Object object) {
    return table().add(file(), object);
  }

  static void remove(long handle) {
    table().remove(handle);
  }

  static long ofNumber(int number) {
    return table().ofNumber(file(), number);
  }

  static <T> T get(long handle, Class<T> type) {
    return table().get(file(), handle, type);
  }

  /** The object of a handle, or null for handle 0, which stands for a null pointer of C. */
  static <T> T getOrNull(long handle, Class<T> type) {
    return handle == 0 ? null : get(handle, type);
  }
}
