// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertEinval;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.umad.Umad;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Management datagrams of programs, through queue pair 1 of their devices. */
final class UmadTest {
  @AutoClose private final Agents agents = new Agents();

  /** Vendor specific. */
  private static final int CLASS = 0x30;

  private static final int OTHER_CLASS = 0x31;
  private static final int CM_CLASS = 7;

  /** Two devices of one network, an agent on each. */
  private static final class Agents implements AutoCloseable {
    private final Emulator emulator;
    private final EmulatedDevice deviceA;
    private final EmulatedDevice deviceB;
    private final UmadAgent a;
    private final UmadAgent b;

    Agents(Emulator emulator, String addressA, String addressB) {
      this.emulator = emulator;
      deviceA = emulator.addDevice(addressA);
      deviceB = emulator.addDevice(addressB);
      a = deviceA.registerUmad(1, CLASS);
      b = deviceB.registerUmad(1, CLASS);
    }

    Agents() {
      this(Emulator.inMemory(), "10.0.0.1", "10.0.0.2");
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  private static Gid gid(String address) {
    try {
      return Gid.of(InetAddress.getByName(address));
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException(address, impossible);
    }
  }

  private static AhAttr to(String address) {
    return AhAttr.to(gid(address));
  }

  /** A datagram of a class with a number in it. */
  private static ByteBuffer mad(int mgmtClass, int number) {
    return ByteBuffer.allocate(256).put(0, (byte) 1).put(1, (byte) mgmtClass).putInt(200, number);
  }

  private static int numberIn(Umad umad) {
    return umad.mad().getInt(200);
  }

  static Stream<Agents> networks() {
    return Stream.of(
        new Agents(Emulator.inMemory(), "10.0.0.1", "10.0.0.2"),
        new Agents(Emulator.inMemory(), "fd00::1", "fd00::2"),
        new Agents(Emulator.on(LinkForm.WIRE_EXACT.fabric()), "10.0.0.1", "10.0.0.2"),
        new Agents(Emulator.on(InMemoryFabric.realTime()), "10.0.0.1", "10.0.0.2"));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void oneSendsAndTheOtherAnswersToWhereItCameFrom(Agents own) {
    try (own) {
      Gid ownB = own.deviceB.open().queryGid(1, 0);
      own.a.send(AhAttr.to(ownB), mad(CLASS, 17));

      Umad request = own.b.recv();
      own.b.send(request.from(), mad(CLASS, 18));
      Umad answer = own.a.recv();

      assertThat(numberIn(request)).isEqualTo(17);
      assertThat(numberIn(answer)).isEqualTo(18);
      assertThat(answer.from().grh().dgid()).isEqualTo(ownB);
      assertThat(answer.sourceQpn()).isOne();
      assertThat(answer.mad().remaining()).isEqualTo(UmadAgent.MAD_BYTES);
      assertThat(answer.mad().isReadOnly()).isTrue();
    }
  }

  @Test
  void keepsSoManyThatNobodyReceivesAndDropsTheRest() {
    for (int i = 0; i < UmadAgent.MAX_RECEIVED + 3; i++) {
      agents.a.send(to("10.0.0.2"), mad(CLASS, i));
      agents.emulator.run(Duration.ofMillis(1));
    }

    assertThat(agents.deviceB.dropCounts()).containsEntry("NO_RECEIVE", 3L);
    for (int i = 0; i < UmadAgent.MAX_RECEIVED; i++) {
      assertThat(numberIn(agents.b.recv())).isEqualTo(i);
    }
    assertThat(agents.b.recv(Duration.ZERO)).isEmpty();
  }

  @Test
  void aWaitThatCouldNeverEndSaysSo() {
    assertThatThrownBy(() -> agents.a.recv())
        .hasMessageContainingAll("EDEADLK", "a management datagram of class 48 at port 1");
  }

  @Test
  void aClassHasOneAgentAtAPort() {
    assertThat(Errnos.of(() -> agents.deviceA.registerUmad(1, CLASS))).isEqualTo(Errno.EBUSY);

    agents.a.close();
    agents.a.close();

    assertThat(agents.deviceA.registerUmad(1, CLASS).mgmtClass()).isEqualTo(CLASS);
    assertThat(Errnos.of(agents.a::recv)).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> agents.a.send(to("10.0.0.2"), mad(CLASS, 1))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void theClassOfTheConnectionManagerIsNotForPrograms() {
    assertThatThrownBy(() -> agents.deviceA.registerUmad(1, CM_CLASS))
        .hasMessageContainingAll("EBUSY", "class 7 of port 1 is that of the connection man");
  }

  @Test
  void refusesWhatCannotBe() {
    GlobalRoute noSource = new GlobalRoute(gid("10.0.0.2"), 0, 5, 64, 0);
    AhAttr there = to("10.0.0.2");

    for (int noClass : new int[] {-1, 0, 256}) {
      assertEinval(() -> agents.deviceA.registerUmad(1, noClass));
    }
    assertEinval(() -> agents.deviceA.registerUmad(3, OTHER_CLASS));
    assertEinval(() -> agents.a.send(there.fromPort(2), mad(CLASS, 1)));
    assertEinval(() -> agents.a.send(new AhAttr(noSource, 0, 1), mad(CLASS, 1)));
    assertEinval(() -> agents.a.send(there, ByteBuffer.allocate(255)));
  }

  @Test
  void theEndOfTheDeviceEndsTheWait() {
    agents.emulator.close();

    assertThat(Errnos.of(agents.a::recv)).isEqualTo(Errno.ENODEV);
    assertThat(Errnos.of(() -> agents.a.send(to("10.0.0.2"), mad(CLASS, 1))))
        .isEqualTo(Errno.ENODEV);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void programsNeverGetTheNumbersOfTheReservedQueuePairs(LinkForm form) {
    try (Emulator emulator = Emulator.on(form.fabric())) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      CompletionQueue cq = pd.context().createCq(8);
      for (int i = 0; i < 200; i++) {
        try (var qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)))) {
          assertThat(qp.qpNum()).isGreaterThan(1);
        }
      }
    }
  }
}
