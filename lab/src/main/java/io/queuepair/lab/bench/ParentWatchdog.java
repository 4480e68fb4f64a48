// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends this JVM when its standard input ends. The parent holds the other end: whatever ends the
 * parent, the system closes it.
 *
 * @param parent what the parent may write to
 * @param file a file that is useless when the parent has ended; it is deleted then
 */
record ParentWatchdog(InputStream parent, Path file) implements Runnable {
  private static final int ABANDONED = 1;

  /** Watches standard input from now on. */
  static void hold(Path file) {
    Thread thread = new Thread(new ParentWatchdog(System.in, file), "lifeline");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    try {
      parent.transferTo(OutputStream.nullOutputStream());
      Files.deleteIfExists(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } finally {
      // Not exit(): who is measured would have to be waited for.
      Runtime.getRuntime().halt(ABANDONED);
    }
  }
}
