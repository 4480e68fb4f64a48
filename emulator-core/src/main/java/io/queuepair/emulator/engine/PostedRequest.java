// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.wire.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outstanding work request, with its call site and memory. */
final class PostedRequest {
  private final String name;
  private final Object queue;
  private final @Nullable CompletionRing completions;
  private final List<Payload> views;
  private final CallSite callSite = CallSite.ofCaller();

  private @Nullable BufferChecksum checksum;

  /**
   * Records a request.
   *
   * @param name name in findings
   * @param queue queue pair or shared receive queue that it was posted to
   * @param completions completion queue; null if the request is unsignaled or the queue is not
   *     known yet
   * @param views memory that the request may use
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

  /** Drops the checksum: from now on the device or another request may change the bytes. */
  void expectNothing() {
    checksum = null;
  }

  /** Checksum that the memory must have until the request completes; null if unknown. */
  @Nullable BufferChecksum contents() {
    return checksum;
  }
}
