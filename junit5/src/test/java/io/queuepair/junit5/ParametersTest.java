// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceLimit;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters that tests get, from which network, in each way of running them. */
@QueuepairTest
class ParametersTest {
  @TempDir private Path reports;
  private final Emulator ofConstructor;
  private Emulator ofBeforeEach;

  ParametersTest(Emulator emulator) {
    ofConstructor = emulator;
  }

  @BeforeEach
  void remember(Emulator emulator) {
    ofBeforeEach = emulator;
  }

  @Test
  void allOfATestComesFromOneNetwork(
      Emulator emulator,
      @Host("10.0.0.2") EmulatedDevice two,
      @Host("10.0.0.2") Context opened,
      QpPair pair) {
    assertThat(emulator).isSameAs(ofConstructor).isSameAs(ofBeforeEach).isSameAs(pair.emulator());
    assertThat(emulator.devices()).hasSize(2).anyMatch(each -> each.equals(two));
    assertThat(opened.device()).isSameAs(two);
    assertThat(pair.b().context()).isSameAs(opened);
    assertThat(pair.a().qp()).asString().contains("RTS");
    assertThat(pair.b().address()).isEqualTo("10.0.0.2");
  }

  @Test
  void withoutNamesThePositionChooses(
      Device first, Context second, @Host("10.0.0.1") Device named) {
    assertThat(first).isSameAs(named);
    assertThat(second.device()).isNotSameAs(first);
    assertThat(second.queryGid(1, 0)).asString().endsWith(":0a00:0002");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void parametersOfOthersComeFirst(int number, QpPair pair) {
    assertThat(number).isPositive();
    assertThat(pair.emulator()).isSameAs(ofBeforeEach);
  }

  @RepeatedTest(2)
  void eachRepetitionHasItsOwnNetwork(Emulator emulator, TestInfo info) {
    assertThat(emulator.devices()).as(info.getDisplayName()).isEmpty();
    assertThat(emulator.addDevice("10.0.0.1")).isNotNull();
  }

  @Test
  @Profile("soft-roce")
  void theProfileIsThatOfTheTestOrOfTheParameter(
      @Host("10.0.0.1") Device linux,
      @Host("10.0.0.2") @Profile(factory = OnePd.class) Context small) {
    try (Context context = linux.open()) {
      assertThat(context.queryDevice().limit(DeviceLimit.MAX_PD)).isNotEqualTo(1);
    }
    assertThat(small.queryDevice().limit(DeviceLimit.MAX_PD)).isEqualTo(1);
    assertThat(DeviceProfile.softRoce().has(Quirk.LINUX_TRANSITIONS)).isTrue();
  }

  @Test
  @Profile(factory = OnePd.class)
  void theProfileIsAlsoThatOfDevicesThatTheTestAdds(Emulator emulator) {
    try (Context context = emulator.addDevice("10.0.0.7").open()) {
      assertThat(context.queryDevice().limit(DeviceLimit.MAX_PD)).isEqualTo(1);
    }
  }

  @Test
  void aConnectionManagerIsThatOfItsDevice(
      Emulator emulator, @Host("10.0.0.2") RdmaCm cm, @Host("10.0.0.2") EmulatedDevice device) {
    assertThat(cm).isSameAs(emulator.rdmaCm(device));
    try (RdmaEventChannel channel = cm.createEventChannel();
        RdmaCmId id = channel.createId(RdmaPortSpace.TCP)) {
      id.bindAddr(new InetSocketAddress("10.0.0.2", 7471));
      assertThat(id.srcPort()).isEqualTo(7471);
    }
  }

  static final class OnePd implements Supplier<DeviceProfile> {
    @Override
    public DeviceProfile get() {
      return DeviceProfile.standard().withLimit(DeviceLimit.MAX_PD, 1);
    }
  }

  @Test
  void faultsCanBeginWhileATestRuns(NetworkFaults faults, QpPair pair) {
    faults.inject("drop 1st ACK");
    PairWork.write(pair, 5);

    assertThat(faults.counts()).containsEntry("drop 1st ACK", 1L);
    QueuepairAssertions.assertThat(pair).withRetransmissionOf("WRITE_ONLY");
    faults.clear();
  }

  @Nested
  class WithinAnother {
    private Emulator ofNested;

    @BeforeEach
    void rememberToo(Emulator emulator) {
      ofNested = emulator;
    }

    @Test
    void sharesTheNetworkOfTheTest(QpPair pair) {
      assertThat(pair.emulator()).isSameAs(ofNested).isSameAs(ofBeforeEach);
    }
  }

  @QueuepairTest
  static class ForAll {
    private static final Set<Emulator> SEEN = new LinkedHashSet<>();

    @BeforeAll
    static void begin(Emulator emulator) {
      SEEN.add(emulator);
    }

    @Test
    void one(QpPair pair) {
      SEEN.add(pair.emulator());
    }

    @Test
    @Faults("drop 1st WRITE_ONLY")
    void two(QpPair pair) {
      PairWork.write(pair, 5);
      SEEN.add(pair.emulator());
    }
  }

  @Test
  void aNetworkOfBeforeAllIsSharedByTheClass() {
    ForAll.SEEN.clear();
    EngineRun run = EngineRun.of(ForAll.class, reports);

    assertThat(run.failures()).isEmpty();
    assertThat(ForAll.SEEN).hasSize(1);
    assertThat(run.files()).isEmpty();
  }

  @QueuepairTest
  static class OtherNetworkThanItsClass extends ForAll {
    @Test
    @RealTime
    void three(QpPair pair) {}
  }

  @Test
  void aMethodCannotHaveAnotherNetworkThanTheOneItShares() {
    assertThat(EngineRun.of(OtherNetworkThanItsClass.class, reports).message())
        .isEqualTo(
            "Failed to resolve parameter [io.queuepair.junit5.QpPair arg0] in method [void"
                + " io.queuepair.junit5.ParametersTest$OtherNetworkThanItsClass.three("
                + "io.queuepair.junit5.QpPair)]: three(QpPair) is to have a network (in memory,"
                + " real time), but its class shares one (in memory, virtual time), as a method"
                + " that runs before all tests has asked for it");
  }

  @QueuepairTest
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class PerClass {
    private final Emulator shared;

    PerClass(Emulator emulator) {
      shared = emulator;
    }

    @Test
    void one(Emulator emulator) {
      assertThat(emulator).isSameAs(shared);
    }

    @Test
    void two(Emulator emulator) {
      assertThat(emulator).isSameAs(shared);
      throw new AssertionError("fails");
    }
  }

  @Test
  void oneObjectForAllTestsHasOneNetwork() {
    EngineRun run = EngineRun.of(PerClass.class, reports);

    assertThat(run.passed()).containsExactly("one(Emulator)");
    assertThat(run.message()).isEqualTo("fails");
    assertThat(run.report()).contains("ParametersTest$PerClass.pcapng");
    assertThat(run.files()).hasSize(2);
  }

  @QueuepairTest
  static class AsksDifferently {
    @BeforeEach
    void two(Device server, Device client) {}

    @Test
    void one(Device client) {}
  }

  @Test
  void refusesToGuessWhichDeviceIsMeant() {
    assertThat(EngineRun.of(AsksDifferently.class, reports).message())
        .isEqualTo(
            "which device? One method of the test asks for 2 and another for 1, and the class was"
                + " compiled without names of parameters: say @Host(\"10.0.0.1\"), or compile with"
                + " -parameters");
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

  @Test
  void refusesWhatIsNoDeviceOrComesTooLate() {
    assertThat(EngineRun.of(NamesNoHost.class, reports).message())
        .startsWith("Failed to resolve parameter [io.queuepair.emulator.EmulatedDevice arg0] in")
        .endsWith("]: 10.0.0.300 is not an IP address");
    assertThat(EngineRun.of(ChoosesTheProfileTooLate.class, reports).message())
        .isEqualTo("the device 10.0.0.1 is there already, so @Profile comes too late");
  }

  @QueuepairTest
  static class Concurrent {
    @RepeatedTest(20)
    void works(QpPair pair) {
      PairWork.write(pair, 10_000);
      QueuepairAssertions.assertThat(pair)
          .sent("WRITE_FIRST", "WRITE_MIDDLE", "WRITE_LAST")
          .withoutRetransmission();
    }
  }

  @Test
  void testsMayRunInParallel() {
    EngineRun run = EngineRun.of(Concurrent.class, reports, EngineRun.PARALLEL);

    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).hasSize(20);
    assertThat(run.files()).isEmpty();
  }
}
