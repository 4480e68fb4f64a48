// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QueuePair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A datagram to a group of several members of a device: each that has no receive for it drops it
 * alone, the device as a whole only if no queue pair takes it.
 */
final class MulticastDropTest {
  /** ::ffff:239.1.2.3. */
  private static final Gid GROUP = new Gid(0, 0xffff_ef01_0203L);

  private final List<String> explanations = new ArrayList<>();

  @TempDir private Path directory;

  /**
   * Sends one datagram to the group, then another one.
   *
   * @param areReady of each member whether it has a receive
   * @return what the receiver has counted of the first, and what the capture says of it at the
   *     second, as no frame of a group has a fate of its own
   */
  private List<String> dropsOf(LinkForm form, boolean... areReady) throws IOException {
    Path file = directory.resolve("group.pcapng");
    Fabric fabric = form.fabric();
    List<String> found = new ArrayList<>();
    try (Emulator emulator =
        Emulator.builder().fabric(fabric).capture(file).explanations(explanations::add).build()) {
      DatagramHost a = new DatagramHost(emulator.addDevice("10.0.0.1"));
      DatagramHost b = new DatagramHost(emulator.addDevice("10.0.0.2"));
      for (boolean isReady : areReady) {
        QueuePair member = b.createQp();
        member.attachMcast(GROUP);
        if (isReady) {
          b.postRecv(member, 0);
        }
      }
      QueuePair sender = a.createQp();
      a.send(sender, GROUP, DatagramHost.GROUP_QPN);
      new VirtualTime(fabric.scheduler()).drain();
      found.add(b.drops("NO_RECEIVE") + " of members");
      a.send(sender, GROUP, DatagramHost.GROUP_QPN);
    }
    try (CaptureFile capture = CaptureFile.open(file)) {
      assertThat(capture.next().orElseThrow().comments()).isEmpty();
      found.addAll(capture.next().orElseThrow().comments());
    }
    return found;
  }

  private static String explanation(int qpn) {
    return " dropped UD_SEND_ONLY for queue pair "
        + (qpn + " from 10.0.0.1: " + DropReason.NO_RECEIVE.text())
        + " It has 4 + 40 bytes (GRH).";
  }

  @ParameterizedTest
  @CsvSource({
    "OBJECTS, true, 18",
    "OBJECTS, false, 17",
    "WIRE_EXACT, true, 18",
    "WIRE_EXACT, false, 17"
  })
  void oneMemberThatTakesItIsEnough(LinkForm form, boolean isFirst, int other) throws IOException {
    assertThat(dropsOf(form, isFirst, !isFirst)).containsExactly("1 of members");
    assertThat(explanations.get(0)).endsWith(explanation(other));
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void itIsDroppedIfNobodyTakesIt(LinkForm form) throws IOException {
    assertThat(dropsOf(form, false, false))
        .containsExactly(
            "2 of members", "10.0.0.2: dropped a packet: " + DropReason.NO_RECEIVE.text());
    assertThat(explanations.get(0)).endsWith(explanation(17));
    assertThat(explanations.get(1)).endsWith(explanation(18));
  }
}
