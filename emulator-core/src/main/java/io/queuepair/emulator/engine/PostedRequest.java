// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.wire.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An outstanding request. */
final class PostedRequest {
  private final String name;
  private final Object queue;
  private final @Nullable CompletionRing completions;
  private final List<Payload> views;
  private final CallSite callSite = CallSite.ofCaller();

  private @Nullable BufferChecksum checksum;

  /**
   * Notes a request.
   *
   * @param name what to call it in a report
   * @param queue what it was posted to
   * @param completions where it completes, or null if it may not
   * @param views the memory that it may use
   */
  PostedRequest(
      String name, Object queue, @Nullable CompletionRing completions, List<Payload> views) {
    this.name = name;
    this.queue = queue;
    this.completions = completions;
    this.views = views;
  }

  String name() {
    return name;
  }

  CallSite where() {
    return callSite;
  }

  boolean isOn(Object other) {
    return queue == other;
  }

  @Nullable CompletionRing completions() {
    return completions;
  }

  List<Payload> views() {
    return views;
  }

  boolean overlaps(Payload other) {
    for (Payload view : views) {
      if (view.overlaps(other)) {
        return true;
      }
    }
    return false;
  }

  void expect(BufferChecksum newChecksum) {
    checksum = newChecksum;
  }

  /** From now on the device, or other work, may change the bytes. */
  void expectNothing() {
    checksum = null;
  }

  /**
   * Checksum that the bytes must have as long as the request is not carried out; null if unknown.
   */
  @Nullable BufferChecksum contents() {
    return checksum;
  }
}
