// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.AckPolicy;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions that go, or become something else, while work is under way: after every single event of
 * the network, in turn. The work then succeeds or fails with the status that its side calls for,
 * and from the change on no byte of the former memory changes.
 */
final class RegionChangeTest {
  private static final int PACKETS = 6;
  private static final int BYTES = PACKETS * 256;
  private static final int MOST_EVENTS = 500;
  private static final byte[] CONTENT = Bytes.pattern(BYTES, 3);

  private enum RegionWork {
    SEND("1 SEND", "1 REM_OP_ERR"),
    WRITE("1 RDMA_WRITE", "1 REM_ACCESS_ERR"),
    READ("1 RDMA_READ " + BYTES, "1 REM_ACCESS_ERR"),
    FETCH_ADD("1 FETCH_ADD", "1 REM_ACCESS_ERR");

    private final String success;

    /** The NAK that the requester gets after a change at the responder. */
    private final String remoteFailure;

    RegionWork(String success, String remoteFailure) {
      this.success = success;
      this.remoteFailure = remoteFailure;
    }

    boolean writesHere() {
      return this == READ || this == FETCH_ADD;
    }
  }

  private enum RegionChange {
    DEREGISTER,
    MOVE,
    OTHER_DOMAIN,
    NO_RIGHTS;

    void on(MemoryRegion region, TestEndpoint side, ByteBuffer other) {
      switch (this) {
        case DEREGISTER -> region.close();
        case MOVE -> region.rereg(ReregMr.nothing().withTranslation(other));
        case OTHER_DOMAIN -> region.rereg(ReregMr.nothing().withPd(side.context().allocPd()));
        case NO_RIGHTS -> region.rereg(ReregMr.nothing().withAccess());
      }
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of(RegionWork.values())
        .flatMap(
            work -> Stream.of(RegionChange.values()).map(change -> Arguments.of(work, change)));
  }

  /** Two sides that have one packet in flight, each with one region. */
  private static final class Scene implements AutoCloseable {
    private final InMemoryFabric fabric = LinkForm.OBJECTS.fabric();
    private final Pair pair =
        Pair.on(fabric)
            .profile(DeviceProfile.standard().withPacing(oneInFlight()))
            .mtu(Mtu.MTU_256)
            .access(Attributes.DATA_RIGHTS)
            .connect();
    private final MemoryRegion here = pair.a().register(BYTES, Attributes.DATA_RIGHTS);
    private final MemoryRegion there = pair.b().register(BYTES, Attributes.DATA_RIGHTS);
    private final ByteBuffer other = ByteBuffer.allocateDirect(BYTES);

    /** The next packet leaves when the one before is acknowledged. */
    private static SendWindowConfig oneInFlight() {
      return new SendWindowConfig(1, BYTES, AckPolicy.everyMessage(1), 1, BYTES, 1, true);
    }

    void post(RegionWork work) {
      Bytes.into(work.writesHere() ? there : here, 0, CONTENT);
      SendWr.RemoteTarget target = new SendWr.RemoteTarget(there.addr(), there.rkey());
      if (work == RegionWork.SEND) {
        pair.b().postRecv(RecvWr.of(2, there.sge()));
      }
      pair.a()
          .postSend(
              switch (work) {
                case SEND -> SendWr.send(1, here.sge());
                case WRITE -> SendWr.rdmaWrite(1, there.addr(), there.rkey(), here.sge());
                case READ -> SendWr.rdmaRead(1, there.addr(), there.rkey(), here.sge());
                case FETCH_ADD -> SendWr.fetchAndAdd(1, target, 1, here.sge(0, Long.BYTES));
              });
    }

    /** Runs some events; returns whether there were so many. */
    boolean run(int events) {
      for (int i = 0; i < events; i++) {
        if (!fabric.scheduler().runNext()) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void close() {
      pair.close();
    }
  }

  /** Changes a region after some events; returns the NAK that the requester gets, or null. */
  private static String outcome(RegionWork work, RegionChange change, boolean isHere, int events) {
    try (Scene scene = new Scene()) {
      scene.post(work);
      if (!scene.run(events)) {
        return null;
      }
      MemoryRegion region = isHere ? scene.here : scene.there;
      ByteBuffer former = region.buffer();
      byte[] before = copy(former);

      change.on(region, isHere ? scene.pair.a() : scene.pair.b(), scene.other);
      scene.pair.drain();

      assertThat(copy(former)).as("former memory after %d events", events).isEqualTo(before);
      assertThat(copy(scene.other)).as("new memory").containsOnly(0);
      List<String> sends = scene.pair.a().sends();
      assertThat(sends).as("after %d events", events).hasSize(1);
      assertReceiveMatches(work, scene.pair.b().receives(), sends.get(0));
      if (!isHere && !work.writesHere()) {
        assertIsBeginning(before);
      }
      return sends.get(0);
    }
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }

  /** A receive succeeds where the send does, and fails by itself where memory is in the way. */
  private static void assertReceiveMatches(RegionWork work, List<String> receives, String send) {
    if (work != RegionWork.SEND) {
      assertThat(receives).isEmpty();
    } else if (send.equals(work.success)) {
      assertThat(receives).containsExactly("2 RECV " + BYTES);
    } else if (send.equals(work.remoteFailure)) {
      assertThat(receives).containsExactly("2 LOC_PROT_ERR");
    } else {
      assertThat(receives).as("the receive still waits").isEmpty();
    }
  }

  /** Bytes that arrived before the change are whole packets from the start on. */
  private static void assertIsBeginning(byte[] bytes) {
    int arrived = 0;
    while (arrived < BYTES && bytes[arrived] == CONTENT[arrived]) {
      arrived++;
    }
    for (int i = arrived; i < BYTES; i++) {
      assertThat(bytes[i]).isEqualTo(TestEndpoint.FILL);
    }
    assertThat(arrived % 256).isZero();
  }

  private static void assertFailsUntilDone(
      RegionWork work, RegionChange change, boolean isHere, String failure) {
    boolean isDone = false;
    String outcome = outcome(work, change, isHere, 0);
    assertThat(outcome).isEqualTo(failure);
    for (int events = 1; outcome != null; events++) {
      assertThat(events).isLessThan(MOST_EVENTS);
      isDone |= outcome.equals(work.success);
      assertThat(outcome)
          .as("%s after %d events", change, events)
          .isEqualTo(isDone ? work.success : failure);
      outcome = outcome(work, change, isHere, events);
    }
    assertThat(isDone).isTrue();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void atTheResponder(RegionWork work, RegionChange change) {
    assertFailsUntilDone(work, change, false, work.remoteFailure);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void atTheRequester(RegionWork work, RegionChange change) {
    // Reading local memory needs no right.
    boolean isHarmless = change == RegionChange.NO_RIGHTS && !work.writesHere();
    assertFailsUntilDone(work, change, true, isHarmless ? work.success : "1 LOC_PROT_ERR");
  }
}
