package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queue pairs of a device take turns. */
final class SendersTest {
  private static final int TURN_PACKETS = Pacing.softRoce().turnPackets();
  private static final String ONLY = "SEND_ONLY " + OWN_PSN;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory memory = us.register(new byte[2 * TURN_PACKETS * MTU]);

  private void postPackets(int count) {
    us.post(SendWr.send(0, sge(memory, 0, count * MTU)));
  }

  @Test
  void oneThatSendsMuchLetsAnotherSendInBetween() {
    postPackets(TURN_PACKETS + 2);
    us.createAnother();
    postPackets(1);

    List<String> left = EngineFixture.brief(us.transmit());

    assertThat(left).hasSize(TURN_PACKETS + 3);
    assertThat(left.indexOf(ONLY)).isEqualTo(TURN_PACKETS);
  }

  @Test
  void aTurnBeginsAnewForTheNextOne() {
    postPackets(2);
    us.createAnother();
    postPackets(TURN_PACKETS);
    us.createAnother();
    postPackets(1);

    assertThat(EngineFixture.brief(us.transmit()).indexOf(ONLY)).isEqualTo(2 + TURN_PACKETS);
  }
}
