package io.queuepair.emulator.device;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The handles that are open of the target of an extended connection; all get its events. */
final class SharedTarget implements Consumer<EventType> {
  private final List<EmulatedQueuePair> handles = new ArrayList<>();
  private QpContext qp;

  QpContext qp() {
    return qp;
  }

  void setQp(QpContext created) {
    qp = created;
  }

  void open(EmulatedQueuePair handle) {
    handles.add(handle);
  }

  /**
   * Closes a handle.
   *
   * @return whether it was the last
   */
  boolean close(EmulatedQueuePair handle) {
    handles.remove(handle);
    return handles.isEmpty();
  }

  @Override
  public void accept(EventType type) {
    for (EmulatedQueuePair handle : handles) {
      handle.emulatedContext().events().raise(AsyncEvent.of(type, handle));
    }
  }
}
