// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.verbs.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An XRC target queue pair and its open handles, which all get its events. */
public final class XrcTarget implements Consumer<EventType> {
  private final List<Handle> handles = new ArrayList<>();
  private @Nullable QpEngine qpEngine;

  public interface Handle {
    void raise(EventType type);
  }

  public @Nullable QpEngine qpEngine() {
    return qpEngine;
  }

  void setQpEngine(QpEngine newQpEngine) {
    qpEngine = newQpEngine;
  }

  public void open(Handle handle) {
    handles.add(handle);
  }

  /**
   * Closes a handle.
   *
   * @return whether it was the last
   */
  boolean close(Handle handle) {
    handles.remove(handle);
    return handles.isEmpty();
  }

  @Override
  public void accept(EventType type) {
    for (Handle handle : handles) {
      handle.raise(type);
    }
  }
}
