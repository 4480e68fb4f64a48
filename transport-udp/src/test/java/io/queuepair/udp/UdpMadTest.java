// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.umad.Umad;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Management datagrams from queue pair 1 to queue pair 1, over sockets. */
final class UdpMadTest {
  private static final int VENDOR_CLASS = 0x30;

  @ParameterizedTest
  @EnumSource
  void oneSendsAndTheOtherAnswersToWhereItCameFrom(UdpOptions.Transport transport) {
    try (Emulator emulator = Emulator.on(UdpFabric.open(LoopbackAddresses.options(transport)))) {
      UmadAgent a = emulator.addDevice("127.0.0.50").registerUmad(1, VENDOR_CLASS);
      UmadAgent b = emulator.addDevice("127.0.0.51").registerUmad(1, VENDOR_CLASS);

      a.send(AhAttr.to(Gid.of(LoopbackAddresses.B)), mad(17));
      Umad request = b.recv();
      b.send(request.from(), mad(18));
      Umad answer = a.recv();

      assertThat(request.mad()).isEqualTo(mad(17));
      assertThat(request.from().grh().dgid()).isEqualTo(Gid.of(LoopbackAddresses.A));
      assertThat(answer.mad()).isEqualTo(mad(18));
    }
  }

  private static ByteBuffer mad(int number) {
    return ByteBuffer.allocate(256).put(1, (byte) VENDOR_CLASS).putInt(252, number);
  }
}
