// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory at the edges of the address space, and memory that goes while it is used. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class MemoryUseCasesTest {
  private static final long BELOW_2_TO_33 = (1L << 33) - ConnectedPair.PAGE;
  private static final long BELOW_2_TO_34 = (1L << 34) - ConnectedPair.PAGE;
  private static final long TOP_OF_USER_SPACE = (1L << 47) - ConnectedPair.PAGE;

  /** A hundred pages are more than it sends before some are acknowledged. */
  private static final DeviceProfile FEW_IN_FLIGHT =
      DeviceProfile.standard().withPacing(SendWindowConfig.softRoce());

  @Parameter private LinkForm form;
  @AutoClose private ConnectedPair bed;

  @BeforeEach
  void connect() {
    bed =
        new ConnectedPair(
            ConnectedPair.reliable(Pair.on(form).profile(FEW_IN_FLIGHT)).connect(),
            ConnectedPair.PAGE);
  }

  private enum MemoryKind {
    SEND,
    READ,
    WRITE
  }

  private static MemoryRegion at(
      TestEndpoint side, long iova, int bytes, Set<AccessFlag> rights, int fill) {
    MemoryRegion region = side.pd().regMrIova(ByteBuffer.allocateDirect(bytes), iova, rights);
    Bytes.into(region, 0, Bytes.fill(bytes, fill));
    return region;
  }

  /** Moves memory from one address to another in equal parts. */
  private void move(MemoryKind kind, long from, long to, int bytes, int parts) {
    boolean isRead = kind == MemoryKind.READ;
    Set<AccessFlag> readable =
        isRead ? EnumSet.of(AccessFlag.REMOTE_READ) : EnumSet.noneOf(AccessFlag.class);
    Set<AccessFlag> writable =
        kind == MemoryKind.WRITE
            ? EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
            : EnumSet.of(AccessFlag.LOCAL_WRITE);
    MemoryRegion source = at(isRead ? bed.b() : bed.a(), from, bytes, readable, 'c');
    MemoryRegion target = at(isRead ? bed.a() : bed.b(), to, bytes, writable, 0);
    int part = bytes / parts;
    List<String> sends = new ArrayList<>();
    List<String> receives = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      Sge piece = source.sge(i * part, part);
      Sge place = target.sge(i * part, part);
      switch (kind) {
        case SEND -> {
          bed.receive(i, place);
          bed.post(SendWr.send(i, piece));
          sends.add(i + " SEND");
          receives.add(i + " RECV " + part);
        }
        case READ -> {
          bed.post(SendWr.rdmaRead(i, piece.addr(), source.rkey(), place));
          sends.add(i + " RDMA_READ " + part);
        }
        case WRITE -> {
          bed.post(SendWr.rdmaWrite(i, place.addr(), target.rkey(), piece));
          sends.add(i + " RDMA_WRITE");
        }
      }
    }

    bed.expect(sends, receives);
    ConnectedPair.assertFullOf(target, 'c');
  }

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  @Tag("IVT-odp-t0_crossbound")
  void memoryMayLieAcrossPowersOfTwo(MemoryKind kind) {
    move(kind, BELOW_2_TO_33, BELOW_2_TO_34, 2 * ConnectedPair.PAGE, 1);
  }

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  @Tag("IVT-odp-t1_upper")
  void memoryMayLieAtTheTopOfUserSpace(MemoryKind kind) {
    move(kind, TOP_OF_USER_SPACE, TOP_OF_USER_SPACE, ConnectedPair.PAGE, 1);
  }

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  @Tag("IVT-odp-t3_1b")
  void aPageGoesInManyPieces(MemoryKind kind) {
    for (int quarter = 0; quarter < 4; quarter++) {
      move(kind, 0x10_0000, 0x20_0000, ConnectedPair.PAGE / 4, 64);
    }
  }

  @ParameterizedTest
  @CsvSource({"READ, 1 RDMA_READ 0", "WRITE, 1 RDMA_WRITE"})
  @Tag("GUT-buffer_test-BufferMrTest.ReadZeroByteOutsideZeroByteMr")
  @Tag("GUT-buffer_test-BufferMrTest.WriteZeroByteToZeroByteMr")
  void aRegionMayBeEmpty(MemoryKind kind, String outcome) {
    MemoryRegion empty = bed.b().register(0, ConnectedPair.ALL_RIGHTS);
    Sge nothing = bed.local().sge(0, 0);
    bed.post(
        kind == MemoryKind.READ
            ? SendWr.rdmaRead(1, empty.addr(), empty.rkey(), nothing)
            : SendWr.rdmaWrite(1, empty.addr(), empty.rkey(), nothing));

    bed.expect(List.of(outcome), List.of());
    assertThat(empty.length()).isZero();
  }

  @Test
  @Tag("GUT-mr_test-MrLoopbackTest.OutstandingRecv")
  void memoryOfAWaitingReceiveMayGo() {
    bed.receive(1, bed.remote().sge());

    bed.remote().close();

    bed.expect(List.of(), List.of());
    bed.assertStates(QpState.RTS, QpState.RTS);
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.RecvOnDeregisteredRegion")
  void aMessageForMemoryThatHasGoneFailsOnBothSides() {
    bed.receive(7, bed.remote().sge());
    ByteBuffer remote = bed.remote().buffer();
    bed.remote().close();
    bed.post(bed.send(1, bed.local().sge()));

    bed.expect(List.of("1 REM_OP_ERR"), List.of("7 LOC_PROT_ERR"));
    bed.assertStates(QpState.ERR, QpState.ERR);
    assertThat(remote).isEqualTo(ByteBuffer.wrap(Bytes.fill(ConnectedPair.PAGE, 'b')));
  }

  @Test
  @Tag("GUT-mr_test-MrLoopbackTest.OutstandingWrite")
  void memoryOfWritesInFlightMayGo() {
    List<WcStatus> statuses = new ArrayList<>();
    List<SendWr> writes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      writes.add(bed.write(i));
    }
    for (int batch = 0; batch < 10; batch++) {
      bed.a().qp().postSend(writes);
    }
    statuses.add(bed.pair().await(bed.a().sendCq()).status());

    bed.local().close();
    bed.pair().drain();
    bed.a().sendCompletions().stream().map(WorkCompletion::status).forEach(statuses::add);

    assertThat(statuses).hasSize(100).startsWith(WcStatus.SUCCESS);
    List<WcStatus> failed =
        statuses.stream().dropWhile(status -> status == WcStatus.SUCCESS).toList();
    assertThat(failed.stream().limit(1)).allMatch(status -> status == WcStatus.LOC_PROT_ERR);
    assertThat(failed.stream().skip(1)).allMatch(status -> status == WcStatus.WR_FLUSH_ERR);
    assertThat(failed).isNotEmpty();
  }
}
