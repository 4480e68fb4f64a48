// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.HostFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The service: a process with the emulated devices of a host, to which programs attach. Its main
 * thread waits for programs to attach and to end; the {@link EngineLoop} has its own thread.
 */
final class HostService {
  /** Time that the service waits for further programs after its last one. */
  static final Duration LINGER = Duration.ofSeconds(2);

  /** Shorter wait of a service with its own addresses, which the next command may want. */
  private static final Duration SHORT_LINGER = Duration.ofMillis(200);

  /** Interval of checks for copies that stall. */
  private static final int LOOK_MILLIS = 50;

  private static final int MESSAGE_ROOM = 1 << 16;
  static final int UDP_PORT = 4791;

  /** Mappings of a process that Linux allows by default (vm.max_map_count), but for some others. */
  private static final int MAX_MAPPINGS = 60_000;

  private static final String STANDARD_ERROR = "-";

  private final byte[] build;
  private final byte[] secret;
  private final ControlLoop control = new ControlLoop();
  private final ExecutorService workers =
      Executors.newCachedThreadPool(work -> new ProgramThread(work, "queuepair-verbs"));

  /** Ends of programs and files that the system had no thread for. */
  private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();

  private final Set<AttachedProgram> programs = ConcurrentHashMap.newKeySet();
  private final HandleTable handles = new HandleTable();
  private final AtomicInteger descriptors = new AtomicInteger();
  private final AtomicInteger mappings = new AtomicInteger();
  private final HeapLimit heap = new HeapLimit(handles);

  /** Open files that some process has, by the socket cookie of the process's end. */
  private final Map<Long, OpenFile> openFiles = new ConcurrentHashMap<>();

  private final int status;
  private final ByteBuffer page;
  private final EngineLoop engine;
  private final List<ShownAttributes> shown = new ArrayList<>();
  private final SysfsFiles files = new SysfsFiles(workers);
  private final ByteBuffer message =
      ByteBuffer.allocateDirect(MESSAGE_ROOM + Long.BYTES).order(ByteOrder.nativeOrder());

  /**
   * Whether shared attributes, files and netlink show the devices. False while a fault plan makes
   * verbs fail, as the service must call none by itself then, and before the devices are closed.
   */
  private volatile boolean isShown;

  private final ErrorLines lines = new ErrorLines();
  private ServiceRequests requests;

  /** Netlink port of the socket that answers NETLINK_RDMA requests; empty without one. */
  private String netlinkPort = "";

  /** Whether the service was started for a process, and ends after it. */
  private boolean isForProcess;

  private boolean isProcessGone;
  private long memlock = Long.MAX_VALUE;
  private boolean isSoftRoce;
  private Duration linger = LINGER;
  private volatile boolean isStopped;

  /** Whether packets may arrive over UDP, on a thread that does not take posts first. */
  private volatile boolean isReachedByOthers;

  private HostService(byte[] build, byte[] secret) {
    this.build = build;
    this.secret = secret;
    status = Kernel.required(Kernel.createShared(Protocol.STATUS_BYTES));
    page = Kernel.mapped(status, Protocol.STATUS_BYTES);
    Kernel.seal(status, 1);
    Kernel.required(Kernel.lockForLife(page));
    engine =
        new EngineLoop(
            page,
            () -> {
              if (isShown) {
                shown.forEach(ShownAttributes::refresh);
                files.refresh();
              }
            });
  }

  /**
   * Runs a service for another JVM, which reads the variables, or an error, from standard output.
   *
   * @param args the process for which it runs, or 0
   */
  public static void main(String[] args) {
    Consumer<String> printer = HostService::print;
    try {
      Path library = ServiceProcess.library();
      serve(library, System.getenv(), Long.parseLong(args[0]), printer);
    } catch (NativeException impossible) {
      printer.accept(ServiceProcess.ERROR + "=" + impossible.getMessage());
      System.exit(1);
    }
    System.exit(0);
  }

  private static void print(String line) {
    System.out.println(line);
    if (System.out.checkError()) {
      throw new NativeException("the process that has started the service is gone");
    }
  }

  /**
   * Runs the service, to which this process belongs from then on, until it is stopped or unused.
   *
   * @param library loaded by this process, and to be loaded by programs
   * @param settings variables that describe the devices
   * @param process for which it runs, or 0
   * @param starter gets lines with the variables for programs, then an empty line
   * @throws NativeException with the reason if the service cannot start
   */
  static void serve(
      Path library, Map<String, String> settings, long process, Consumer<String> starter) {
    Kernel.newSession();
    SecureRandom random = new SecureRandom();
    byte[] secret = new byte[2 * Protocol.PROOF_BYTES];
    byte[] name = new byte[Long.BYTES];
    random.nextBytes(secret);
    random.nextBytes(name);
    String text = "queuepair-" + HexFormat.of().formatHex(name);
    HostService service =
        new HostService(NativeLibrary.build().getBytes(StandardCharsets.US_ASCII), secret);
    try {
      service.start(settings, process, text);
    } catch (NativeException impossible) {
      service.files.close();
      throw impossible;
    }
    try {
      ServiceDirectory directory =
          ServiceDirectory.create(ServiceProcess.cache(), service.files.root());
      service.requests =
          new ServiceRequests(
              settings, service.programs, directory.log(), service::heed, service.lines);
      starter.accept(Variables.SERVICE + "=" + text);
      starter.accept(Variables.SECRET + "=" + HexFormat.of().formatHex(secret));
      starter.accept(Variables.ADDRESS + "=" + ServiceDevices.addresses());
      starter.accept(Variables.LIBRARY + "=" + library);
      starter.accept(Variables.ROOT + "=" + service.files.root());
      starter.accept(Variables.NETLINK + "=" + service.netlinkPort);
      starter.accept(Variables.LOG + "=" + directory.log());
      if (settings.containsKey(Variables.EXPLAIN)) {
        starter.accept(Variables.EXPLAIN + "=1");
      }
      if (STANDARD_ERROR.equals(settings.get(Variables.TRACE))) {
        starter.accept(Variables.TRACE + "=" + STANDARD_ERROR);
      }
      if (settings.containsKey(Variables.COVERAGE)) {
        starter.accept(Variables.COVERAGE + "=" + process);
      }
      starter.accept("");
      detach(directory.log());
      service.runUntilUnused();
      service.hideAttributes();
      ServiceDevices.stop();
      directory.close();
    } catch (IOException impossible) {
      throw new NativeException("the service has no directory: " + impossible, impossible);
    }
  }

  private static void detach(Path log) {
    byte[] path = (log + "\0").getBytes(StandardCharsets.UTF_8);
    Kernel.required(Kernel.detach(Kernel.required(Kernel.openLog(direct(path)))));
    System.setErr(new PrintStream(new LimitedLog(System.err), true, StandardCharsets.UTF_8));
  }

  private void start(Map<String, String> wanted, long process, String name) {
    Map<String, String> settings = new HashMap<>(wanted);
    boolean isBound = settings.containsKey(Variables.ADDRESS);
    linger = isBound ? SHORT_LINGER : LINGER;
    if (settings.containsKey(Variables.MEMLOCK)) {
      memlock = Long.parseLong(settings.get(Variables.MEMLOCK));
    }
    settings.computeIfAbsent(Variables.ADDRESS, missing -> HostAddresses.all());
    if (settings.containsKey(Variables.EXPLAIN)) {
      Refusals.explainTo(this::explain);
    }
    isSoftRoce = ServiceDevices.isSoftRoce(settings);
    ServiceDevices.start(settings, () -> network(isBound), lines::printToAll);
    heed(FaultPlan.parse(settings.getOrDefault(Variables.FAULTS, "")));
    if (isShown) {
      showAttributes();
      files.write(ServiceDevices.devices());
      openNetlink();
    } else {
      files.writeFirst(ServiceDevices.profile(settings), settings.get(Variables.ADDRESS));
    }
    new ProgramThread(engine::runForever, "queuepair-engine").start();
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    int socket = Kernel.required(Kernel.listen(direct(bytes), bytes.length));
    control.watch(socket, Kernel.READABLE, () -> accept(socket));
    if (process != 0) {
      isForProcess = true;
      int end = Kernel.pidFd((int) process);
      isProcessGone = end < 0;
      if (!isProcessGone) {
        control.watch(end, Kernel.READABLE, () -> forget(end));
      }
    }
  }

  /** Shares the attributes of devices with one port, which programs read without a call. */
  private void showAttributes() {
    List<Device> devices = ServiceDevices.devices();
    for (int i = 0; i < Math.min(devices.size(), Protocol.ATTRIBUTES_DEVICES); i++) {
      Context context = devices.get(i).open();
      if (context.queryDevice().physPortCnt() == 1) {
        shown.add(new ShownAttributes(context, page, i));
      }
    }
  }

  /** Hides the attributes while verbs may fail, so that programs call. Takes all posts. */
  private void heed(FaultPlan plan) {
    isShown = plan.ofCalls().isEmpty();
    shown.forEach(attributes -> attributes.show(isShown));
    if (!programs.isEmpty()) {
      runOnEngine(() -> programs.forEach(AttachedProgram::endPosts));
    }
  }

  /** Waits until the engine has run work, or LINGER is over: a program may hold it up. */
  private void runOnEngine(Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    engine.execute(
        () -> {
          work.run();
          done.complete(null);
        });
    done.completeOnTimeout(null, LINGER.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void openNetlink() {
    long opened = Kernel.netlink();
    if ((int) opened < 0) {
      return; // The kernel lacks netlink: programs find none either.
    }
    int socket = (int) opened;
    NetlinkRdma netlink = new NetlinkRdma(ServiceDevices.devices(), handles);
    new ProgramThread(() -> answerNetlink(socket, netlink), "queuepair-netlink").start();
    netlinkPort = Integer.toUnsignedString((int) (opened >>> Integer.SIZE));
  }

  /**
   * Answers netlink requests, which any user may send, one after the other. Each message waits up
   * to 1 s for a client that does not read.
   */
  private void answerNetlink(int socket, NetlinkRdma netlink) {
    ByteBuffer request =
        ByteBuffer.allocateDirect(MESSAGE_ROOM + Integer.BYTES).order(ByteOrder.nativeOrder());
    while (true) {
      int length = Kernel.receiveNetlink(socket, request, MESSAGE_ROOM);
      int port = request.getInt(MESSAGE_ROOM);
      try {
        netlink.answer(
            request,
            length,
            port,
            answer -> Kernel.sendNetlink(socket, answer, answer.position(), port));
      } catch (RuntimeException | Error bug) {
        engine.say(bug);
      }
    }
  }

  /**
   * Network of the devices: in memory between programs of the service, over UDP to others. UDP is
   * bound at once or with the first packet.
   */
  private Fabric network(boolean isBound) {
    return new HostFabric(
        InMemoryFabric.drivenBy(engine.scheduler(), InMemoryOptions.realTime()),
        new HostFabric.Outside(UDP_PORT, isBound, this::openUdp));
  }

  private Fabric openUdp(LostPackets lost) {
    isReachedByOthers = true;
    engine.execute(() -> programs.forEach(AttachedProgram::endPosts));
    return UdpFabric.open(UdpOptions.defaults(), lost);
  }

  /** Whether packets of other hosts may reach the programs. */
  boolean isReachedByOthers() {
    return isReachedByOthers;
  }

  /** Hides all on the engine, which refreshes it until then; a closed device has none. */
  private void hideAttributes() {
    runOnEngine(
        () -> {
          isShown = false;
          shown.forEach(ShownAttributes::close);
          files.close();
        });
  }

  /** Prints why a call was refused: for the program of this thread, or else for all. */
  private void explain(String reason) {
    String line = "queuepair: " + reason;
    if (Thread.currentThread() instanceof ProgramThread thread
        && thread.program() instanceof AttachedProgram program) {
      program.explain(line);
    } else {
      lines.printToAll(line);
    }
  }

  private void forget(int end) {
    isProcessGone = true;
    control.unwatch(end);
    Kernel.close(end);
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
  }

  /** Limit in KiB of memory that each program may pin. */
  long memlock() {
    return memlock;
  }

  Share shareOfDescriptors() {
    return new Share(descriptors, Kernel.descriptorLimit(), "descriptors");
  }

  Share shareOfMappings() {
    return new Share(mappings, MAX_MAPPINGS, "mappings");
  }

  ControlLoop control() {
    return control;
  }

  HandleTable handles() {
    return handles;
  }

  /** Time of day in nanoseconds at the origin of time stamps. */
  long epochNanos() {
    return engine.scheduler().epochNanos();
  }

  /** Runs work on a worker thread; OutOfMemoryError if the system has none. */
  void execute(Runnable work) {
    workers.execute(work);
  }

  /** Closes a descriptor after the present turn of the engine, which may still use it. */
  void closeLater(int descriptor) {
    engine.execute(() -> Kernel.close(descriptor));
  }

  /** Whether a program may use an event channel: on soft-roce, as in Linux, only its opener may. */
  boolean lets(AttachedProgram program, OpenFile channel) {
    return !isSoftRoce || channel == null || channel.opener == program;
  }

  /** Watches an open file until no process has a descriptor of it. */
  void add(OpenFile file) {
    openFiles.put(file.cookie, file);
    control.watch(file.end, 0, () -> end(file));
  }

  /** Begins the end of an open file, unless that has begun. */
  void end(OpenFile file) {
    if (!openFiles.remove(file.cookie, file)) {
      return;
    }
    control.unwatch(file.end);
    engine.execute(
        () -> {
          file.isEnding = true;
          runEnd(
              () -> {
                file.destroy();
                programs.forEach(program -> program.files().remove(file));
                control.wake();
              });
        });
  }

  private void runUntilUnused() {
    long unusedSince = System.nanoTime();
    long packets = 0;
    while (!isStopped) {
      boolean isUnused = isForProcess && isProcessGone && programs.isEmpty() && openFiles.isEmpty();
      long before = System.nanoTime();
      unusedSince = isUnused ? unusedSince : before;
      try {
        control.runOnce(isUnused ? (int) linger.toMillis() : programs.isEmpty() ? -1 : LOOK_MILLIS);
        look();
      } catch (RuntimeException | Error bug) { // In the action of one program; the others continue.
        engine.say(bug);
      }
      long now = System.nanoTime();
      if (isUnused && now - before >= linger.toNanos()) {
        long received = ServiceDevices.receivedPackets();
        if (received == packets || now - unusedSince >= LINGER.toNanos()) {
          return;
        }
        packets = received; // A peer that still sends gets its answer.
      }
    }
  }

  /** Names copies that stall, runs ends that had no thread, and watches the heap. */
  private void look() {
    long now = System.nanoTime();
    programs.forEach(program -> program.reportStall(now, engine::isWaiting));
    for (int left = ends.size(); left > 0; left--) {
      runEnd(ends.remove());
    }
    if (heap.isExceeded()) {
      heap.endLargest(file -> openFiles.containsKey(file.cookie), this::kill);
    }
  }

  /** Ends a program that lives, with all files that it has opened. */
  private void kill(AttachedProgram program, String reason) {
    if (!program.isEnding) {
      program.giveReason(reason);
      end(program);
    }
    openFiles.values().stream().filter(file -> file.opener == program).forEach(this::end);
    System.err.println("queuepair: " + reason);
  }

  /**
   * Runs the end of a program or file on a worker thread; later, if the system has none now. It is
   * repeated until there is memory for it.
   */
  private void runEnd(Runnable end) {
    try {
      workers.execute(
          () -> {
            while (!isDone(end)) {
              Thread.onSpinWait();
            }
          });
    } catch (OutOfMemoryError noThread) {
      ends.add(end);
    }
  }

  private boolean isDone(Runnable end) {
    try {
      end.run();
      return true;
    } catch (OutOfMemoryError full) {
      engine.say(full);
      return false;
    }
  }

  private void accept(int listener) {
    int connection = Kernel.accept(listener);
    if (connection < 0) {
      return;
    }
    sendHello(connection);
    control.watch(connection, Kernel.READABLE, () -> greet(connection));
  }

  /** Sends the first message, with the half of the secret that identifies the service. */
  private void sendHello(int connection) {
    message.putInt(0, Protocol.PROTOCOL_MAGIC);
    message.putInt(Protocol.HELLO_VERSION, Protocol.PROTOCOL_VERSION);
    message.put(Protocol.HELLO_BUILD, build, 0, Protocol.BUILD_BYTES);
    message.put(Protocol.HELLO_PROOF, secret, 0, Protocol.PROOF_BYTES);
    Kernel.send(connection, message, 0, Protocol.HELLO_BYTES, 0, 0, 0);
  }

  private void greet(int connection) {
    int received = Kernel.receive(connection, message, MESSAGE_ROOM);
    int file = message.getInt(MESSAGE_ROOM);
    int error = message.getInt(MESSAGE_ROOM + Integer.BYTES);
    control.unwatch(connection);
    if (received == Protocol.HELLO_BYTES && isKnown() && isTrusted(connection)) {
      if (file < 0) {
        control.watch(connection, Kernel.READABLE, () -> obey(connection));
        return;
      }
      if (Kernel.isMemory(file) != 0) {
        attach(connection, file, error);
        return;
      }
    }
    refuse(connection, Kernel.EACCES);
    closeReceived();
  }

  private void closeReceived() {
    for (int at = MESSAGE_ROOM; at < message.capacity(); at += Integer.BYTES) {
      if (message.getInt(at) >= 0) {
        Kernel.close(message.getInt(at));
      }
    }
  }

  private void refuse(int connection, int errno) {
    message.putInt(0, errno);
    Kernel.send(connection, message, 0, Integer.BYTES, 0, 0, 0);
    Kernel.close(connection);
  }

  private boolean isKnown() {
    byte[] theirs = new byte[Protocol.BUILD_BYTES];
    message.get(Protocol.HELLO_BUILD, theirs);
    return message.getInt(0) == Protocol.PROTOCOL_MAGIC
        && message.getInt(Protocol.HELLO_VERSION) == Protocol.PROTOCOL_VERSION
        && Arrays.equals(theirs, build);
  }

  private boolean isTrusted(int connection) {
    byte[] proof = new byte[Protocol.PROOF_BYTES];
    message.get(Protocol.HELLO_PROOF, proof);
    byte[] half = Arrays.copyOfRange(secret, Protocol.PROOF_BYTES, 2 * Protocol.PROOF_BYTES);
    return (int) Kernel.peer(connection) == Kernel.user() || MessageDigest.isEqual(proof, half);
  }

  private void attach(int connection, int memory, int error) {
    int process = (int) (Kernel.peer(connection) >>> Integer.SIZE);
    int bell = Kernel.eventFd();
    if (bell < 0) {
      closeReceived();
      refuse(connection, -bell);
      return;
    }
    AttachedProgram program = new AttachedProgram(this, connection, memory, bell, process);
    if (error >= 0) {
      program.explainTo(lines.open(error));
    }
    int chunk;
    try {
      chunk = program.addChunk();
    } catch (VerbsException refused) {
      program.free();
      return;
    }
    program.watchShadow(
        message.getLong(Protocol.HELLO_SHADOW_SCALE),
        message.getLong(Protocol.HELLO_SHADOW_OFFSET));
    programs.add(program);
    engine.add(program);
    control.watch(connection, Kernel.READABLE, () -> serve(program));
    if (program.life > 0) { // Other processes may have its end of the connection, too.
      control.watch(program.life, Kernel.READABLE, () -> end(program));
    }
    message.putInt(0, 0);
    Kernel.send(connection, message, 0, Integer.BYTES, status, bell, chunk);
    Kernel.close(chunk);
  }

  /** Handles a later message: a descriptor, a request for mailboxes, or the program's end. */
  private void serve(AttachedProgram program) {
    int received = Kernel.receive(program.connection, message, MESSAGE_ROOM);
    int descriptor = message.getInt(MESSAGE_ROOM);
    if (received <= 0) {
      end(program);
    } else if (descriptor < 0) {
      passMailboxes(program);
    } else {
      adopt(program, openFiles.get(Kernel.cookieOf(descriptor)));
    }
    closeReceived();
  }

  /**
   * Lets a program use an open file of which it has passed a descriptor.
   *
   * @param file or null if the descriptor is of something else
   */
  private void adopt(AttachedProgram program, OpenFile file) {
    if (file != null && program.files().add(file)) {
      // A post of one program must be taken before a later post of another that has heard of it.
      runOnEngine(
          () -> {
            file.isShared = true;
            programs.forEach(AttachedProgram::endPosts);
          });
    }
    message.putInt(0, file == null ? Errno.EINVAL.code() : 0);
    message.putLong(Protocol.ADOPTED_HANDLE, file == null ? 0 : file.handle());
    Kernel.send(program.connection, message, 0, Protocol.ADOPTED_BYTES, 0, 0, 0);
  }

  private void passMailboxes(AttachedProgram program) {
    int chunk = 0;
    try {
      chunk = program.addChunk();
      message.putInt(0, 0);
    } catch (VerbsException refused) {
      message.putInt(0, refused.errno().code());
    }
    Kernel.send(program.connection, message, 0, Integer.BYTES, chunk, 0, 0);
    if (chunk > 0) {
      Kernel.close(chunk);
    }
  }

  private void end(AttachedProgram program) {
    program.isEnding = true;
    control.unwatch(program.connection);
    if (program.life > 0) {
      control.unwatch(program.life);
    }
    engine.remove(
        program,
        () ->
            runEnd(
                () -> {
                  program.awaitCalls();
                  engine.execute(
                      () -> {
                        program.free();
                        programs.remove(program);
                        control.wake();
                      });
                }));
  }

  /** Answers a request of the command {@code queuepair service} with text. */
  private void obey(int connection) {
    int received = Kernel.receive(connection, message, MESSAGE_ROOM);
    closeReceived();
    byte[] word = new byte[Math.max(0, received)];
    message.get(0, word);
    String request = new String(word, StandardCharsets.UTF_8);
    isStopped = request.equals("stop");
    byte[] text = requests.answer(request).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MESSAGE_ROOM);
    message.put(0, text, 0, length);
    Kernel.send(connection, message, 0, length, 0, 0, 0);
    control.unwatch(connection);
    Kernel.close(connection);
  }
}
