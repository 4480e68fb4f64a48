// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import io.queuepair.verbs.CompletionChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A completion channel. */
final class DisniCompChannel extends IbvCompChannel {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final CompletionChannel channel;

  DisniCompChannel(IbvContext context, CompletionChannel channel) throws IOException {
    super(NUMBERS.incrementAndGet(), context);
    this.channel = channel;
  }

  CompletionChannel channel() {
    return channel;
  }
}
