// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.BufferContents;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.emulator.wire.Payload;
import java.util.List;

/** Checksum of a request's memory at post time, to detect changes. */
final class BufferChecksum {
  private final SanitizerFindingKind findingKind;
  private final List<Payload> views;
  private final long fingerprint;

  private BufferChecksum(SanitizerFindingKind findingKind, List<Payload> views) {
    this.findingKind = findingKind;
    this.views = views;
    fingerprint = BufferContents.hash(views);
  }

  /** Takes the checksum of the buffers of a send, without poisoning them. */
  static BufferChecksum ofSend(List<Payload> views) {
    return new BufferChecksum(SanitizerFindingKind.SEND_BUFFER_CHANGED, views);
  }

  /** Poisons the buffers of a receive, READ or atomic, and takes their checksum. */
  static BufferChecksum ofTarget(List<Payload> views) {
    views.forEach(BufferContents::poison);
    return new BufferChecksum(SanitizerFindingKind.TARGET_BUFFER_CHANGED, views);
  }

  SanitizerFindingKind ifChanged() {
    return findingKind;
  }

  boolean areIntact() {
    return BufferContents.hash(views) == fingerprint;
  }
}
