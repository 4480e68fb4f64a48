package io.queuepair.emulator.sanitizer;

import io.queuepair.emulator.memory.Fingerprint;
import io.queuepair.emulator.memory.Poison;
import io.queuepair.emulator.profile.MisuseKind;
import io.queuepair.emulator.wire.Payload;
import java.util.List;

/** What the bytes of a request were when it was posted, and so have to stay. */
final class Contents {
  private final MisuseKind ifChanged;
  private final List<Payload> views;
  private final long fingerprint;

  private Contents(MisuseKind ifChanged, List<Payload> views) {
    this.ifChanged = ifChanged;
    this.views = views;
    fingerprint = Fingerprint.of(views);
  }

  /** Those of a send: as the application left them. */
  static Contents ofSend(List<Payload> views) {
    return new Contents(MisuseKind.SEND_BUFFER_CHANGED, views);
  }

  /** Those of a receive, READ or atomic: poisoned, so that nobody mistakes them for data. */
  static Contents ofTarget(List<Payload> views) {
    views.forEach(Poison::fill);
    return new Contents(MisuseKind.TARGET_BUFFER_CHANGED, views);
  }

  MisuseKind ifChanged() {
    return ifChanged;
  }

  boolean areIntact() {
    return Fingerprint.of(views) == fingerprint;
  }
}
