// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers of a datagram in its completion. */
final class DatagramHeadersTest {
  private static final int QKEY = 0x1234;

  static Stream<Arguments> devices() {
    return Stream.of(
        Arguments.of("10.0.0.1", DeviceProfile.standard(), 0x0a),
        Arguments.of("fd00::1", DeviceProfile.standard(), 0x09),
        Arguments.of("10.0.0.1", DeviceProfile.softRoce(), 0));
  }

  /** Values of mlx5: bit 3 for UDP, below it 1 for IPv6 and 2 for IPv4; rxe fills nothing in. */
  @ParameterizedTest
  @MethodSource("devices")
  void serviceLevelTellsTheVersionOfIp(String address, DeviceProfile profile, int expected) {
    try (Emulator emulator = Emulator.inMemory()) {
      Context context = emulator.addDevice(profile, address).open();
      ProtectionDomain domain = context.allocPd();
      CompletionQueue sends = context.createCq(1);
      CompletionQueue receives = context.createCq(1);
      QueuePair qp =
          domain.createQp(
              new QpInitAttr(QpType.UD, sends, receives, null, new QpCap(1, 1, 1, 1, 0), false));
      qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(QKEY));
      qp.modify(QpAttr.to(QpState.RTR));
      qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
      MemoryRegion region =
          domain.regMr(ByteBuffer.allocateDirect(40), Set.of(AccessFlag.LOCAL_WRITE));
      qp.postRecv(RecvWr.of(1, region.sge()));
      AhAttr itself = AhAttr.to(context.queryGid(1, 0));
      qp.postSend(SendWr.send(2).to(domain.createAh(itself), qp.qpNum(), QKEY));
      emulator.run(Duration.ofSeconds(1));

      Cqe cqe = new Cqe();
      ((EmulatedCompletionQueue) receives).ring().pollAndKeep(cqe);

      assertThat(cqe.sl()).isEqualTo(expected);
    }
  }
}
