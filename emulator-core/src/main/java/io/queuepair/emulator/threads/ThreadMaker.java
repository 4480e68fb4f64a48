// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Creates threads; virtual ones by reflection, as JDK 17 has none. */
final class ThreadMaker {
  private ThreadMaker() {}

  /** Makes a daemon platform thread. */
  static Thread platform(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Makes a virtual thread.
   *
   * @throws UnsupportedOperationException if the JDK has none
   */
  static Thread virtual(String name, Runnable body) {
    try {
      Object builder = ofVirtual().invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      type.getMethod("name", String.class).invoke(builder, name);
      return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
    } catch (InvocationTargetException | IllegalAccessException | ClassNotFoundException e) {
      throw new UnsupportedOperationException("this JDK makes no virtual threads", e);
    } catch (NoSuchMethodException e) {
      throw unsupported(e);
    }
  }

  /**
   * Refuses virtual threads where there are none.
   *
   * @throws UnsupportedOperationException if the JDK has none
   */
  static void checkVirtual() {
    try {
      ofVirtual();
    } catch (NoSuchMethodException e) {
      throw unsupported(e);
    }
  }

  private static Method ofVirtual() throws NoSuchMethodException {
    return Thread.class.getMethod("ofVirtual");
  }

  private static UnsupportedOperationException unsupported(NoSuchMethodException cause) {
    return new UnsupportedOperationException(
        "virtual threads need JDK 21 or newer, not " + Runtime.version().feature(), cause);
  }
}
