// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.verbs.UserContextHolder;
import org.jspecify.annotations.Nullable;

/** An object that asynchronous events are about ({@code element} of {@code ibv_async_event}). */
interface AsyncEventElement extends ContextObject, UserContextHolder {
  @Override
  default @Nullable Object userContext() {
    return lifecycle().userContext();
  }

  @Override
  default void setUserContext(@Nullable Object userContext) {
    lifecycle().setUserContext(userContext);
  }
}
