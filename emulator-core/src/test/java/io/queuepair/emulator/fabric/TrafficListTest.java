// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TrafficListTest {
  private static final InetAddress ANY = InetAddress.getLoopbackAddress();

  private final TrafficList batch = new TrafficList();

  @Test
  void holdsWhatWasAddedSinceItWasEmptied() {
    Traffic first = new Frame(ANY, ByteBuffer.allocate(1));
    Traffic second = new Frame(ANY, ByteBuffer.allocate(2));
    Traffic third = new Frame(ANY, ByteBuffer.allocate(3));

    batch.add(first);
    batch.add(second);
    batch.add(third);
    assertThat(batch).containsExactly(first, second, third);

    batch.clear();
    assertThat(batch).isEmpty();

    batch.add(third);
    batch.add(second);
    assertThat(batch).containsExactly(third, second);
  }

  @Test
  void showsNothingThatItHeldBefore() {
    batch.add(new Frame(ANY, ByteBuffer.allocate(1)));
    batch.clear();

    assertThatThrownBy(() -> batch.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
