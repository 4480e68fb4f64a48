// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands of librdmacm, written as {@code rdma/rdma_user_cm.h} has them: numbers, places and port
 * spaces are of that header, errnos those of {@code drivers/infiniband/core/ucma.c} of Linux.
 */
final class RdmaCmCommandTest {
  private static final int CREATE_ID = 0;
  private static final int DESTROY_ID = 1;
  private static final int BIND_IP = 2;
  private static final int RESOLVE_ROUTE = 4;
  private static final int LISTEN = 7;
  private static final int REJECT = 9;
  private static final int INIT_QP_ATTR = 11;
  private static final int GET_EVENT = 12;
  private static final int SET_OPTION = 14;
  private static final int MIGRATE_ID = 18;
  private static final int WRITE_CM_EVENT = 24;

  private static final short PS_TCP = 0x0106;
  private static final int UNKNOWN_ID = 1 << 30;
  private static final long ANSWER_POINTER = 0x7000_1000L;
  private static final int OPTION = 1_024;
  private static final int RESPONSE = 2_048;

  private final Emulator emulator = Emulator.builder().fabric(InMemoryFabric.realTime()).build();
  private final RdmaCm rdmaCm = emulator.rdmaCm(emulator.addDevice("192.0.2.2"));
  private final CountDownLatch readable = new CountDownLatch(1);
  private final RdmaCmFile file =
      new RdmaCmFile(
          (CProgramHost) rdmaCm, List.of(0), () -> true, isReadable -> readable.countDown());
  private final RdmaCmFile other =
      new RdmaCmFile((CProgramHost) rdmaCm, List.of(0), () -> true, isReadable -> {});
  private final ByteBuffer args = ByteBuffer.allocate(8_192).order(ByteOrder.nativeOrder());

  @AfterEach
  void close() {
    file.close();
    other.close();
    emulator.close();
  }

  /** Begins a command, all zeros. */
  private RdmaCmCommandTest command(int code) {
    Args.clear(args, 0, args.capacity());
    Args.setSlot(args, 0, code);
    Args.setSlot(args, 1, 512);
    return this;
  }

  private RdmaCmCommandTest with(int at, int value) {
    args.putInt(Args.BYTES + at, value);
    return this;
  }

  private RdmaCmCommandTest withShort(int at, int value) {
    args.putShort(Args.BYTES + at, (short) value);
    return this;
  }

  private RdmaCmCommandTest withByte(int at, int value) {
    args.put(Args.BYTES + at, (byte) value);
    return this;
  }

  private RdmaCmCommandTest withLong(int at, long value) {
    args.putLong(Args.BYTES + at, value);
    return this;
  }

  /** Runs it: bytes of the answer, or a negated errno. */
  private long on(RdmaCmFile where) {
    try {
      return RdmaCmCommand.of(args).runOn(where);
    } catch (VerbsException refused) {
      return Refusals.resultOf("rdma_cm", refused);
    }
  }

  /** Runs it: EINVAL, which has several reasons. */
  private VerbsException refusalOn(RdmaCmFile where) {
    VerbsException refused =
        catchThrowableOfType(VerbsException.class, () -> RdmaCmCommand.of(args).runOn(where));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    return refused;
  }

  private static long refusal(Errno errno) {
    return -errno.code();
  }

  private int newId() {
    command(CREATE_ID).withLong(0, 77).withLong(8, ANSWER_POINTER).withShort(16, PS_TCP);
    assertThat(on(file)).isEqualTo(Integer.BYTES);
    assertThat(Args.slot(args, 0)).isEqualTo(ANSWER_POINTER);
    return args.getInt(Args.BYTES + RESPONSE);
  }

  private long destroy(int id, RdmaCmFile where) {
    return command(DESTROY_ID).withLong(0, ANSWER_POINTER).with(8, id).on(where);
  }

  @Test
  void anIdIsThereUntilItIsDestroyed() {
    int id = newId();

    assertThat(newId()).isNotEqualTo(id);
    assertThat(destroy(id, file)).isEqualTo(Integer.BYTES);
    assertThat(args.getInt(Args.BYTES + RESPONSE)).as("events reported").isZero();
    assertThat(destroy(id, file)).isEqualTo(refusal(Errno.ENOENT));
  }

  @Test
  void anIdBelongsToItsFileUntilItMoves() {
    int id = newId();

    assertThat(command(LISTEN).with(0, id).on(other)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(destroy(id, other)).isEqualTo(refusal(Errno.EINVAL));
    command(MIGRATE_ID).withLong(0, ANSWER_POINTER).with(8, id);
    assertThat(on(other)).isEqualTo(Integer.BYTES);
    assertThat(destroy(id, file)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(destroy(id, other)).isEqualTo(Integer.BYTES);
  }

  /** The first has an event that is not acknowledged, so that it is busy. */
  @Test
  void allIdsAreDestroyedAlthoughOneIsBusy() {
    RdmaEventChannel channel = rdmaCm.createEventChannel();
    RdmaCmId busy = channel.createId(RdmaPortSpace.TCP);
    RdmaCmId last = channel.createId(RdmaPortSpace.TCP);
    busy.resolveAddr(null, new InetSocketAddress("192.0.2.2", 7471), Duration.ofSeconds(2));
    RdmaCmEvent event = channel.getCmEvent();
    file.addId(file, busy, 0);
    file.addId(file, last, 0);

    RdmaCmFile.destroyAll();

    assertThatThrownBy(() -> last.setOption(new RdmaOption.Tos(0)))
        .hasMessageContaining("destroyed");
    event.ack();
    busy.close();
  }

  /** {@code ucma_write_cm_event}: of type USER or INTERNAL, with any status and number. */
  @ParameterizedTest
  @ValueSource(ints = {18, 19})
  @Timeout(60)
  void aProgramWritesAnEventOfItsOwn(int type) throws Exception {
    int id = newId();
    command(WRITE_CM_EVENT).with(0, id).with(8, type).with(12, -7);
    withLong(16, 0x5566_7788_AABB_CCDDL);

    assertThat(on(file)).isZero();
    readable.await();
    command(GET_EVENT).withLong(0, ANSWER_POINTER);
    assertThat(on(file)).isEqualTo(336);

    ByteBuffer event = args.slice(Args.BYTES + RESPONSE, 336).order(ByteOrder.nativeOrder());
    assertThat(event.getLong(0)).as("uid").isEqualTo(77);
    assertThat(event.getInt(8)).as("id").isEqualTo(id);
    assertThat(event.getInt(12)).as("event").isEqualTo(type);
    assertThat(event.getInt(16)).as("status").isEqualTo(-7);
    assertThat(event.getLong(20)).as("arg32").isEqualTo(0x5566_7788_AABB_CCDDL);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 17, 20})
  void anEventOfAnotherTypeIsNotWritten(int type) {
    command(WRITE_CM_EVENT).with(0, newId()).with(8, type);

    assertThat(on(file)).isEqualTo(refusal(Errno.EINVAL));
  }

  @ParameterizedTest
  @ValueSource(ints = {RESOLVE_ROUTE, LISTEN, REJECT})
  void anIdThatWasNeverThereIsNotFound(int code) {
    assertThat(command(code).with(0, UNKNOWN_ID).on(file)).isEqualTo(refusal(Errno.ENOENT));
  }

  @Test
  void anIdToMoveThatWasNeverThereIsNotFound() {
    command(MIGRATE_ID).with(8, UNKNOWN_ID);

    assertThat(on(file)).isEqualTo(refusal(Errno.ENOENT));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 23, 25, 1_000_000})
  void aCommandBeyondTheTableIsInvalid(int code) {
    assertThat(command(code).on(file)).isEqualTo(refusal(Errno.EINVAL));
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 19}) // Of options, which Linux has not either, and of AF_IB.
  void aCommandThatIsNotOfferedHasNoFunction(int code) {
    assertThat(command(code).on(file)).isEqualTo(refusal(Errno.ENOSYS));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x0107, 0xFFFF})
  void thereIsNoOtherPortSpace(int portSpace) {
    command(CREATE_ID).withShort(16, portSpace);

    assertThat(on(file)).isEqualTo(refusal(Errno.EINVAL));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 27, 0xFFFF})
  void anAddressIsOfIpv4OrIpv6(int family) {
    int id = newId();

    command(BIND_IP).withShort(8, family).with(36, id);

    assertThat(on(file)).isEqualTo(refusal(Errno.EINVAL));
  }

  @Test
  void aRouteNeedsAnAddress() {
    int id = newId();

    assertThat(command(RESOLVE_ROUTE).with(0, id).on(file)).isEqualTo(refusal(Errno.EINVAL));
  }

  @Test
  void aStateOfAQueuePairIsOneOfTheSeven() {
    int id = newId();

    command(INIT_QP_ATTR).with(8, id).with(12, 99);

    assertThat(refusalOn(file)).hasMessageContaining("qp_state 99 is none of 0 (RESET)");
  }

  @Test
  void aRejectionHasTheReasonOfAProgram() {
    int id = newId();

    command(REJECT).with(0, id).withByte(5, 7);

    assertThat(refusalOn(file)).hasMessageContaining("reason 7 is not for programs");
  }

  /** Level 0 is of an id: type of service 0 with one byte, reuse of addresses 1 with four. */
  @Test
  void anOptionHasItsLength() {
    int id = newId();

    assertThat(option(id, 0, 0, 1)).isZero();
    assertThat(option(id, 0, 0, 4)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(option(id, 0, 1, 4)).isZero();
    assertThat(option(id, 0, 1, 1)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(option(id, 0, 1, -1)).isEqualTo(refusal(Errno.EINVAL));
  }

  @Test
  void anOptionThatIsNotThereHasNoFunction() {
    int id = newId();

    assertThat(option(id, 0, 99, 4)).isEqualTo(refusal(Errno.ENOSYS));
    assertThat(option(id, 0, 9, 1)).isEqualTo(refusal(Errno.ENOSYS));
    assertThat(option(id, 9, 0, 1)).isEqualTo(refusal(Errno.ENOSYS));
    assertThat(option(UNKNOWN_ID, 0, 0, 1)).isEqualTo(refusal(Errno.ENOENT));
  }

  /** Level 1, option 1 is a list of paths of 72 bytes, which is not offered. */
  @Test
  void pathsHaveTheirLength() {
    int id = newId();

    assertThat(option(id, 1, 1, 4)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(option(id, 1, 1, 0)).isEqualTo(refusal(Errno.EINVAL));
    assertThat(option(id, 1, 1, 72)).isEqualTo(refusal(Errno.ENOSYS));
  }

  private long option(int id, int level, int name, int bytes) {
    command(SET_OPTION).with(8, id).with(12, level).with(16, name).with(20, bytes);
    return with(OPTION, 1).on(file);
  }

  /** As recorded: {@code ucma_get_event} makes room in the backlog, nothing before it does. */
  @Test
  @Timeout(60)
  void aRequestCountsForTheBacklogUntilItIsRead() throws InterruptedException {
    int id = newId();
    command(BIND_IP).withShort(8, 2).with(12, 0x020200c0).with(36, id);
    args.order(ByteOrder.BIG_ENDIAN);
    withShort(10, 7471);
    args.order(ByteOrder.nativeOrder());
    assertThat(on(file)).isZero();
    assertThat(command(LISTEN).with(0, id).with(4, 2).on(file)).isZero();
    RdmaEventChannel clients =
        emulator.rdmaCm(emulator.addDevice("192.0.2.3")).createEventChannel();

    connect(clients, 7471);
    readable.await();
    connect(clients, 7471);
    connect(clients, 7471);
    connect(clients, 7472); // No one listens there, and the answer comes behind the others.
    assertThat(clients.getCmEvent().event()).isEqualTo(RdmaCmEventType.REJECTED);

    awaitEvent();
    awaitEvent();
    assertThat(command(GET_EVENT).on(file)).isEqualTo(refusal(Errno.EAGAIN));
  }

  /** Another thread brings it. */
  private void awaitEvent() {
    while (command(GET_EVENT).on(file) == refusal(Errno.EAGAIN)) {
      Thread.onSpinWait();
    }
  }

  private static void connect(RdmaEventChannel clients, int port) {
    RdmaCmId id = clients.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress("192.0.2.2", port), Duration.ofSeconds(2));
    assertThat(clients.getCmEvent().event()).isEqualTo(RdmaCmEventType.ADDR_RESOLVED);
    id.resolveRoute(Duration.ofSeconds(2));
    assertThat(clients.getCmEvent().event()).isEqualTo(RdmaCmEventType.ROUTE_RESOLVED);
    id.connect(RdmaConnParam.of(0, 0));
  }

  @Test
  void withoutAnEventTheFileIsToBeReadAgain() {
    assertThat(command(GET_EVENT).on(file)).isEqualTo(refusal(Errno.EAGAIN));
  }
}
