// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.SendWr;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a test fails with that uses a parameter in a wrong way. */
class ParameterFailuresTest {
  @TempDir private Path reports;

  @QueuepairTest
  static class AddsADeviceTwice {
    @Test
    void fails(Emulator emulator, @Host("10.0.0.1") Device device) {
      emulator.addDevice("10.0.0.1");
    }
  }

  @QueuepairTest
  static class LeavesADeviceOpen {
    @Test
    void leaves(@Host("10.0.0.1") Device device) {
      device.open();
    }
  }

  @QueuepairTest
  static class NamesNoHost {
    @Test
    void cannotBegin(@Host("10.0.0.300") EmulatedDevice device) {}
  }

  @QueuepairTest
  static class ChoosesTheProfileTooLate {
    @BeforeEach
    void begin(@Host("10.0.0.1") Context context) {}

    @Test
    void cannotBegin(@Host("10.0.0.1") @Profile("soft-roce") Context context) {}
  }

  @QueuepairTest
  static class ExpectsAnotherPacket {
    @Test
    void fails(QpPair pair) {
      pair.a().qp().postSend(SendWr.send(1, pair.a().sge(0, 5)));
      QueuepairAssertions.assertThat(pair).sent("WRITE_ONLY");
    }
  }

  @QueuepairTest
  static class InjectsNoPlan {
    @Test
    void fails(NetworkFaults faults) {
      faults.inject("drop everything");
    }
  }

  @QueuepairTest
  static class HasNoPlan {
    @Test
    @Faults("drop everything")
    void cannotBegin(QpPair pair) {}
  }

  private String message(Class<?> tests) {
    return EngineRun.of(tests, reports).message();
  }

  @Test
  void ofTheNetwork() {
    assertThat(message(AddsADeviceTwice.class))
        .isEqualTo("10.0.0.1 is taken: another device is attached under it.");
  }

  @Test
  void ofADevice() {
    assertThat(message(LeavesADeviceOpen.class))
        .isEqualTo(
            """
            the test passed, but objects were not closed:
              a context was never closed (made at \
            io.queuepair.junit5.ParameterFailuresTest$LeavesADeviceOpen.leaves\
            (ParameterFailuresTest.java))
              (to allow that: @DisabledChecks(Check.LEAKS))""");
    assertThat(message(NamesNoHost.class))
        .isEqualTo(
            "Failed to resolve parameter [io.queuepair.emulator.EmulatedDevice arg0] in method"
                + " [void io.queuepair.junit5.ParameterFailuresTest$NamesNoHost.cannotBegin("
                + "io.queuepair.emulator.EmulatedDevice)]: 10.0.0.300 is not an IP address");
    assertThat(message(ChoosesTheProfileTooLate.class))
        .isEqualTo("the device 10.0.0.1 is there already, so @Profile comes too late");
  }

  @Test
  void ofAPair() {
    assertThat(message(ExpectsAnotherPacket.class))
        .isEqualTo(
            """
            expected QP 0x000011 of qp0 (RC, RTS) at 10.0.0.1 to have sent:
              WRITE_ONLY
            but it has sent:
              <--- expected WRITE_ONLY""");
  }

  @Test
  void ofFaults() {
    String expected =
        "line 1, column 6: found \"everything\", allowed here: an amount such as 3rd or 1%, an"
            + " opcode or a group of opcodes, from, to, qp, psn, where, at, for, or the end of the"
            + " statement";

    assertThat(message(InjectsNoPlan.class)).isEqualTo(expected);
    assertThat(message(HasNoPlan.class)).isEqualTo(expected);
  }
}
