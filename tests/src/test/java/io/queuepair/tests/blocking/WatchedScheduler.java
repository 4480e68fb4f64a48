// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import io.queuepair.emulator.fabric.Scheduler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A scheduler, and its timers, that tell the name of each method before it is called. */
final class WatchedScheduler {
  private WatchedScheduler() {}

  /**
   * Decorates a scheduler.
   *
   * @param watcher gets the names; the caller gets what it throws
   */
  static Scheduler of(Scheduler inner, Consumer<String> watcher) {
    return decorated(Scheduler.class, inner, watcher);
  }

  private static <T> T decorated(Class<T> type, T inner, Consumer<String> watcher) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(inner, method, arguments, watcher)));
  }

  private static Object call(
      Object inner, Method method, Object[] arguments, Consumer<String> watcher) throws Throwable {
    watcher.accept(method.getName());
    try {
      Object result = method.invoke(inner, arguments);
      return result instanceof Scheduler.Timer timer
          ? decorated(Scheduler.Timer.class, timer, watcher)
          : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
