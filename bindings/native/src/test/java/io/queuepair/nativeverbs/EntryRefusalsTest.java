// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The explanation of a refused call of C names the verb, and what of it is wrong. */
@Isolated("there is one listener for explanations")
final class EntryRefusalsTest {
  private static final int EFAULT = 14;
  private static final int EINVAL = 22;

  /** Handle of no object: the lower bits are a place, the others are counted. */
  private static final long WRONG_HANDLE = 0x7fff_ffffL << 24 | 3;

  private static final String SHARED = "ibv_named_by_c";

  private final ProgramWithoutMemory program = new ProgramWithoutMemory();

  /** Entries that take a handle; the others take the index of a device, or open a file. */
  private static Stream<ServiceEntry> entries() {
    return Stream.of(ServiceEntry.values())
        .filter(
            entry ->
                switch (entry) {
                  case DEVICE_INFO, ADDRESSES, OPEN_DEVICE, OPEN_RDMA_CM, UNKNOWN -> false;
                  default -> true;
                });
  }

  private static ByteBuffer args() {
    return Args.of(ByteBuffer.allocateDirect(1 << 16));
  }

  private static ByteBuffer argsOfShared() {
    ByteBuffer args = args();
    args.put(Args.BYTES, SHARED.getBytes(StandardCharsets.UTF_8));
    return args;
  }

  private static boolean isShared(ServiceEntry entry) {
    return entry == ServiceEntry.CLOSE
        || entry == ServiceEntry.QUERY_GID
        || entry == ServiceEntry.REG_MR;
  }

  private List<String> explanationsOf(LongSupplier call) {
    List<String> reasons = new ArrayList<>();
    Refusals.explainTo(reasons::add);
    try {
      assertThat(program.call(call)).isEqualTo(-EINVAL);
    } finally {
      Refusals.explainTo(null);
    }
    return reasons;
  }

  /** Zeros are no constant of some enumerations; then these are named. */
  @ParameterizedTest
  @MethodSource("entries")
  void aHandleOfNoObjectIsNamedWithTheVerb(ServiceEntry entry) {
    ByteBuffer args = isShared(entry) ? argsOfShared() : args();
    List<String> reasons = explanationsOf(() -> entry.call(WRONG_HANDLE, args));

    assertThat(reasons)
        .singleElement()
        .asString()
        .matches(
            "(ibv_\\w+|rdma_cm): EINVAL: (the (struct ibv_\\w+|object|file of [/a-z_]+) was"
                + " destroyed, or is none"
                + "|\\w+ \\d+ is none of \\d+ .*|(comp|attr)_mask 0.*|there is no object \\d+)");
  }

  @ParameterizedTest
  @CsvSource({
    "CLOSE, 'the object was destroyed, or is none'",
    "QUERY_GID, 'the struct ibv_context was destroyed, or is none'",
    "REG_MR, 'the struct ibv_pd was destroyed, or is none'",
  })
  void anEntryOfSeveralVerbsNamesTheOneThatWasCalled(ServiceEntry entry, String reason) {
    assertThat(explanationsOf(() -> entry.call(WRONG_HANDLE, argsOfShared())))
        .containsExactly(SHARED + ": EINVAL: " + reason);
  }

  @Test
  void whatEndedWithItsDescriptorIsNotExplained() {
    assertThat(explanationsOf(() -> ServiceEntry.CLOSE.call(WRONG_HANDLE, args()))).isEmpty();
  }

  /** ibv_qp_attr has path_mtu at 8; the mask is IBV_QP_PATH_MTU. */
  @ParameterizedTest
  @CsvSource({
    "1024, 'path_mtu 1024 is none of the codes 1 to 5: for 1024 bytes it is 3'",
    "9, 'path_mtu 9 is none of 1 (MTU_256), 2 (MTU_512), 3 (MTU_1024), 4 (MTU_2048), 5 (MTU_4096)'",
  })
  void aPathMtuThatIsNoCodeIsNamed(int pathMtu, String reason) {
    try (Emulator emulator = Emulator.inMemory()) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      QueuePair qp = pd.createQp(QpInitAttr.rc(pd.context().createCq(1), QpCap.of(1)));
      long handle = program.handles().add(null, qp);
      ByteBuffer args = args();
      Args.setSlot(args, 0, 1 << 8);
      args.putInt(Args.BYTES + 8, pathMtu);

      assertThat(explanationsOf(() -> ServiceEntry.MODIFY_QP.call(handle, args)))
          .containsExactly("ibv_modify_qp: EINVAL: " + reason);
    }
  }

  @Test
  void aNumberOfEntriesThatTheArgumentsHaveNoRoomForIsNamed() {
    try (Emulator emulator = Emulator.inMemory()) {
      long pd = program.handles().add(null, emulator.addDevice("10.0.0.1").open().allocPd());
      ByteBuffer args = args();
      Args.setSlot(args, 2, Integer.MAX_VALUE);

      assertThat(explanationsOf(() -> ServiceEntry.ADVISE_MR.call(pd, args)))
          .containsExactly("ibv_advise_mr: EINVAL: num_sge 2147483647");
    }
  }

  /** struct ibv_send_wr has the bytes of inline data at 16, and opcode 2, SEND, at 28. */
  @Test
  void inlineDataThatTheArgumentsHaveNoRoomForIsNamed() {
    ByteBuffer args = args().putLong(16, Integer.MAX_VALUE).putInt(28, 2);
    SendRequest request = new SendRequest();

    assertThatThrownBy(() -> SendWrStruct.read(args, 0, QpType.RC, true, request))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("EINVAL: 2147483647 bytes of inline data");
  }

  @Test
  void memoryIsNotAllocatedForACopyThatTheDeviceMemoryHasNoRoomFor() {
    try (Emulator emulator = Emulator.inMemory()) {
      Context context = emulator.addDevice("10.0.0.1").open();
      long dm = program.handles().add(null, context.allocDm(new AllocDmAttr(64, 0)));
      ByteBuffer args = args();
      Args.setSlot(args, 3, Integer.MAX_VALUE);

      assertThat(program.call(() -> ServiceEntry.COPY_DM.call(dm, args))).isEqualTo(-EFAULT);
    }
  }

  @Test
  void thereAreManyEntries() {
    assertThat(entries()).hasSizeGreaterThan(50);
  }
}
