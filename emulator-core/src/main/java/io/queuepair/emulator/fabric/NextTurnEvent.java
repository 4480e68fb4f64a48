// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** Lets a station continue sending after its turn has ended. */
final class NextTurnEvent extends Event {
  private final InMemoryLink link;

  NextTurnEvent(InMemoryLink link) {
    this.link = link;
  }

  @Override
  void run() {
    link.ringDoorbell();
  }
}
