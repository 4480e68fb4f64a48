// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The starting PSN of a message is that with which the other side begins to send: in {@code
 * cm_rping.pcapng} of Linux the client sends its first message with the PSN of the REP.
 */
final class StartingPsnTest {
  @Test
  void eachSideBeginsWithWhatTheOtherHasTold() {
    List<String> lines = new ArrayList<>();
    try (RdmaHosts hosts =
        new RdmaHosts(
            LadderTrace.on(InMemoryFabric.virtualTime(), lines::add), "10.0.0.1", "10.0.0.2")) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      RdmaCmId active = hosts.active();
      active.connect();
      RdmaCmId passive = hosts.request();
      passive.accept();
      RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

      assertThat(lines)
          .anySatisfy(
              line -> assertThat(line).contains("CM REQ", "psn=" + passive.qp().query().sqPsn()))
          .anySatisfy(
              line -> assertThat(line).contains("CM REP", "psn=" + active.qp().query().sqPsn()));
    }
  }
}
