// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.IoHandlerContext;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The application's thread moves the datagrams when it polls and waits. */
@Timeout(60)
final class CallerDrivenTest {
  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A device with a connected queue pair and one region. */
  private static final class CallerDrivenSide {
    final Context context;
    final CompletionChannel channel;
    final CompletionQueue cq;
    final QueuePair qp;
    final ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    final MemoryRegion region;

    CallerDrivenSide(Emulator emulator, String address) {
      context = emulator.addDevice(address).open();
      channel = context.createCompChannel();
      cq = context.createCq(8, channel);
      ProtectionDomain pd = context.allocPd();
      qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
      region = pd.regMr(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    /** Spins. */
    WorkCompletion poll() {
      WorkCompletion[] one = new WorkCompletion[1];
      while (cq.poll(one) == 0) {
        Thread.onSpinWait();
      }
      return one[0];
    }
  }

  private CallerDrivenSide a;
  private CallerDrivenSide b;

  private Emulator emulator;

  /** Connects both sides and closes them, all on the thread of the test, which drives them. */
  private void drive(UdpOptions options, Runnable test) {
    drive(Emulator.on(UdpFabric.open(options)), test);
  }

  private void drive(Emulator network, Runnable test) {
    try (network) {
      emulator = network;
      a = new CallerDrivenSide(network, "127.0.0.50");
      b = new CallerDrivenSide(network, "127.0.0.51");
      Emulator.connect(a.qp, b.qp);
      test.run();
    }
  }

  private static UdpOptions options(UdpOptions.Transport transport) {
    return LoopbackAddresses.options(transport).withProgress(ProgressMode.CALLER_DRIVEN);
  }

  @ParameterizedTest
  @CsvSource({"AUTO, true", "EPOLL, false", "EPOLL, true", "NIO, false", "NIO, true"})
  void oneThreadRunsBothEndsByPolling(UdpOptions.Transport transport, boolean spins) {
    drive(
        options(transport).withBusyPoll(spins),
        () -> {
          b.qp.postRecv(RecvWr.of(1, b.region.sge()));
          a.bytes.put(0, HELLO);

          a.qp.postSend(SendWr.send(2, a.region.sge(0, HELLO.length)));

          assertThat(b.poll().byteLen()).isEqualTo(HELLO.length);
          assertThat(a.poll().status()).isEqualTo(WcStatus.SUCCESS);
          assertThat(b.bytes.slice(0, HELLO.length)).isEqualTo(ByteBuffer.wrap(HELLO));
          assertThat(Thread.getAllStackTraces().keySet())
              .noneMatch(thread -> thread.getName().startsWith("queuepair-udp"));
        });
  }

  @Test
  void waitsOfBothKindsMoveDatagrams() {
    drive(
        options(UdpOptions.Transport.AUTO),
        () -> {
          b.qp.postRecv(RecvWr.of(1, b.region.sge()));
          b.cq.reqNotify(false);

          a.qp.postSend(SendWr.send(2, a.region.sge()));

          assertThat(b.channel.getCqEvent()).isSameAs(b.cq);
          b.cq.ackEvents(1);
          assertThat(emulator.await(a.cq).wrId()).isEqualTo(2);
        });
  }

  /** As if the process had been stopped meanwhile: an acknowledgement may be among them. */
  @ParameterizedTest
  @CsvSource({"EPOLL, false", "EPOLL, true", "NIO, false", "NIO, true"})
  void handlesAllThatHasArrivedBeforeATimerThatIsLate(
      UdpOptions.Transport transport, boolean spins) {
    try (UdpFabric fabric = UdpFabric.open(options(transport).withBusyPoll(spins))) {
      RecordingStation sender = new RecordingStation();
      RecordingStation receiver = new RecordingStation();
      Link link = fabric.attach(A, sender);
      fabric.attach(B, receiver);
      for (int i = 0; i < RecordingStation.MORE_THAN_ONE_LOOK; i++) {
        sender.send(link, A, B, HELLO);
      }
      List<Integer> arrived = new ArrayList<>();
      Scheduler scheduler = fabric.scheduler();

      scheduler.timer(() -> arrived.add(receiver.arrived())).arm(scheduler.nowNanos() - LATE_NANOS);
      while (arrived.isEmpty()) {
        scheduler.runReady();
      }

      assertThat(arrived).containsExactly(RecordingStation.MORE_THAN_ONE_LOOK);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timersFireWhileTheCallerWaits(boolean spins) {
    drive(
        options(UdpOptions.Transport.AUTO).withBusyPoll(spins),
        () -> {
          b.qp.modify(QpAttr.to(QpState.RESET));

          a.qp.postSend(SendWr.send(2, a.region.sge()));

          assertThat(emulator.await(a.cq).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        });
  }

  /** However the datagrams enter and leave the sockets. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void capturesAndFaultPlansSeePackets(boolean spins, @TempDir Path directory) {
    Path file = directory.resolve("spin.pcapng");
    UdpFabric fabric = UdpFabric.open(options(UdpOptions.Transport.AUTO).withBusyPoll(spins));
    FaultPlan plan = FaultPlan.parse("drop 1st SEND");
    drive(
        Emulator.builder().fabric(fabric).capture(file).faults(plan).build(),
        () -> {
          b.qp.postRecv(RecvWr.of(1, b.region.sge()));
          a.qp.postSend(SendWr.send(2, a.region.sge()));

          assertThat(a.poll().status()).isEqualTo(WcStatus.SUCCESS);
        });

    assertThat(opcodes(file))
        .as("on a busy machine there may be more repeats")
        .startsWith("RC_SEND_ONLY", "RC_SEND_ONLY")
        .contains("RC_ACKNOWLEDGE");
  }

  private static List<String> opcodes(Path file) {
    List<String> opcodes = new ArrayList<>();
    try (CaptureFile capture = CaptureFile.open(file)) {
      for (Optional<PacketRecord> next = capture.next(); next.isPresent(); next = capture.next()) {
        opcodes.add(String.valueOf(next.get().fields().get("opcode")));
      }
    }
    return opcodes;
  }

  @Test
  void aWaitEndsAtItsTimeout() {
    drive(
        options(UdpOptions.Transport.AUTO),
        () -> {
          a.cq.reqNotify(false);
          Duration timeout = Duration.ofMillis(5);
          long start = System.nanoTime();

          assertThat(a.channel.getCqEvent(timeout)).isEmpty();
          assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeout.toNanos());
        });
  }

  @Test
  void anotherThreadIsToldWhatToDo() {
    drive(
        options(UdpOptions.Transport.AUTO),
        () -> {
          CompletableFuture<Void> polled = elsewhere(() -> a.cq.poll(new WorkCompletion[1]));

          assertThatThrownBy(polled::join)
              .cause()
              .isInstanceOf(VerbsException.class)
              .hasMessageContaining("background mode")
              .hasMessageContaining(Thread.currentThread().getName())
              .extracting("errno")
              .isEqualTo(Errno.EPERM);
        });
  }

  @Test
  void anInterruptEndsAWait() {
    drive(
        options(UdpOptions.Transport.AUTO),
        () -> {
          try {
            Thread.currentThread().interrupt();

            assertInterrupted(a);
          } finally {
            Thread.interrupted();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "NIO"})
  void anInterruptEndsAWaitThatSleeps(UdpOptions.Transport transport) {
    Thread waiter = Thread.currentThread();
    drive(
        options(transport),
        () -> {
          try {
            Thread waker = new Thread(() -> interruptWhenAsleep(waiter), "waker");
            waker.setDaemon(true);
            waker.start();

            assertInterrupted(a);
          } finally {
            Thread.interrupted();
          }
        });
  }

  private static void assertInterrupted(CallerDrivenSide side) {
    assertThatThrownBy(() -> side.channel.getCqEvent())
        .isInstanceOf(VerbsException.class)
        .extracting("errno")
        .isEqualTo(Errno.EINTR);
  }

  private static void interruptWhenAsleep(Thread waiter) {
    while (waiter.isAlive() && !isAsleep(waiter.getStackTrace())) {
      Thread.onSpinWait();
    }
    waiter.interrupt();
  }

  /** Sleep is a native method: of the JDK's selector, or of Netty's. */
  private static boolean isAsleep(StackTraceElement[] stack) {
    return stack.length > 0
        && stack[0].isNativeMethod()
        && stack[0].getMethodName().toLowerCase(Locale.ROOT).contains("wait");
  }

  @Test
  void virtualTimeIsRefused() {
    assertThatThrownBy(() -> UdpOptions.defaults().withProgress(ProgressMode.VIRTUAL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("virtual");
  }

  // The network belongs to one thread.

  private final UdpOptions options = options(UdpOptions.Transport.AUTO);

  private final RecordingStation station = new RecordingStation();

  private static CompletableFuture<Void> elsewhere(Runnable task) {
    return CompletableFuture.runAsync(task, run -> new Thread(run, "other").start());
  }

  @Test
  void anotherThreadMayNotAttachADeviceOrJoinAGroup() {
    try (UdpFabric fabric = UdpFabric.open(options)) {
      Link link = fabric.attach(A, station);

      assertRefused(elsewhere(() -> fabric.attach(B, station)));
      assertRefused(elsewhere(() -> link.join(LoopbackAddresses.address("239.1.1.1"))));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherThreadEndsTheLoopWhileTheOwnerWaits(boolean spins) {
    CallerDrivenLoop loop = new CallerDrivenLoop(Sockets.of(options).driver(), spins);
    Thread owner = Thread.currentThread();
    loop.runReady();
    CompletableFuture<Void> closed =
        elsewhere(
            () -> {
              awaitStep(owner);
              loop.close();
            });

    boolean goesOn = true;
    while (goesOn) {
      goesOn = loop.runNext(Long.MAX_VALUE);
    }

    assertThat(loop.events().isTerminated()).isTrue();
    closed.join();
  }

  /** Until it is in the middle of a step, rather than between two. */
  private static void awaitStep(Thread owner) {
    while (Stream.of(owner.getStackTrace())
        .noneMatch(call -> call.getClassName().endsWith("EventLoop"))) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadClosesWhatADeadOwnerLeft(UdpOptions.Transport transport)
      throws InterruptedException {
    UdpOptions own = options(transport);
    UdpFabric left = UdpFabric.open(own);
    Thread owner = new Thread(() -> left.attach(A, station), "owner");
    owner.start();
    owner.join();

    left.close();
    left.close();

    try (UdpFabric fabric = UdpFabric.open(own)) {
      assertThat(fabric.attach(A, station).isWritable()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadClosesWhatAnOwnerLeavesThatEndsMeanwhile(UdpOptions.Transport transport)
      throws InterruptedException {
    UdpOptions own = options(transport);
    UdpFabric left = UdpFabric.open(own);
    endWhileClosing(() -> left.attach(A, station));

    left.close();

    try (UdpFabric fabric = UdpFabric.open(own)) {
      assertThat(fabric.attach(A, station).isWritable()).isTrue();
    }
  }

  @Test
  void anotherThreadClosesALoopWhoseOwnerEndsMeanwhile() throws InterruptedException {
    AtomicBoolean isDestroyed = new AtomicBoolean();
    CallerDrivenLoop loop =
        new CallerDrivenLoop(
            SocketsHandler.factory(
                Sockets.of(options).driver(),
                sockets ->
                    new SocketsHandler(sockets) {
                      @Override
                      public int run(IoHandlerContext context) {
                        return sockets.run(context);
                      }

                      @Override
                      public void destroy() {
                        super.destroy();
                        isDestroyed.set(true);
                      }
                    }),
            true);
    endWhileClosing(loop::runReady);

    loop.close();

    assertThat(isDestroyed).isTrue();
  }

  /** Starts a thread that owns a loop, and ends when the calling thread waits for it. */
  private static void endWhileClosing(Runnable own) throws InterruptedException {
    Thread closer = Thread.currentThread();
    CountDownLatch isOwned = new CountDownLatch(1);
    Runnable ownAndEnd =
        () -> {
          own.run();
          isOwned.countDown();
          while (Stream.of(closer.getStackTrace())
              .noneMatch(call -> call.getMethodName().equals("awaitUninterruptibly"))) {
            Thread.onSpinWait();
          }
        };
    new Thread(ownAndEnd, "owner").start();
    isOwned.await();
  }

  /** The owner may never run the loop again: a close waits for it once, for a second. */
  @Test
  void anotherThreadDoesNotWaitForEachSocketOfAnIdleOwner() {
    UdpFabric fabric = UdpFabric.open(options);
    fabric.attach(A, station);
    fabric.attach(B, station);
    long beginNanos = fabric.scheduler().nowNanos();

    elsewhere(fabric::close).join();

    Duration taken = Duration.ofNanos(fabric.scheduler().nowNanos() - beginNanos);
    assertThat(taken).isLessThan(Duration.ofSeconds(4));
    assertThat(fabric.scheduler().runNext()).isFalse();
  }

  private static void assertRefused(CompletableFuture<Void> call) {
    assertThatThrownBy(call::join)
        .cause()
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith(
            "Only the thread that first drove this network, "
                + Thread.currentThread().getName()
                + ", may poll, wait or attach devices");
  }
}
