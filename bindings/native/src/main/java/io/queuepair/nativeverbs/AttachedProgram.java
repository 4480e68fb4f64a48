// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.memory.MovableRegion;
import io.queuepair.emulator.memory.ProcessMemory;
import io.queuepair.emulator.queue.MappableCq;
import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Program attached to the service: its memory, its mailboxes, and its open files, opened by itself
 * or passed by other programs.
 */
final class AttachedProgram extends Program {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /**
   * Posts taken from one program in a turn, few enough not to delay others. Their packets arrive
   * together, so that one system call writes their data.
   */
  private static final int POSTS_A_TURN = 16;

  /** Posts that a call counts for. */
  private static final int CALL_POSTS = 4;

  private static final int ALL_MAILBOXES = (1 << Protocol.CHUNK_MAILBOXES) - 1;
  private static final long ALL_CALLS_AND_POSTS = (1L << (2 * Protocol.CHUNK_MAILBOXES)) - 1;

  /** Posts taken by {@link #takeReceives} in a turn: at least those that a mailbox has room for. */
  private static final int RECEIVES_A_TURN =
      Protocol.POSTS_BYTES / (Protocol.POST_RECORD + WrReader.RECV_WR_SIZE);

  /**
   * Limit of the verbs of a program that wait at once, each on a thread. Further ones wait in their
   * mailboxes; none of the verbs on threads waits for another verb.
   */
  private static final int WAITING_VERBS = 64;

  final int connection;
  final int bell;

  /** Process id, or 0 if this process does not see it. */
  final int process;

  /** Pidfd, readable when the process has ended; below 0 if this process does not see it. */
  final int life;

  /** Whether its calls are not taken any more; main thread of the service only. */
  boolean isEnding;

  private final HostService service;
  private final int memory;
  private final ProgramAccess access;
  private final ProgramAccess onDemand;
  private final LockedMemory locked;
  private final Share descriptors;
  private final Share mappings;
  private final Set<OpenFile> files = ConcurrentHashMap.newKeySet();
  private volatile Chunk[] chunks = {};

  /** Standard error of the program; null if it wants no explanations. */
  private ErrorLines.Output errors;

  /** Places where the next turn begins to look; engine thread only. */
  private int firstChunk;

  private int firstMailbox;
  private int firstPoster;

  /** Null unless the program has an AddressSanitizer. */
  private Shadow shadow;

  /** Calls that worker threads carry out; the end of the program waits for them. */
  private final Phaser calls = new Phaser(1);

  private final LimitedExecutor workers;

  /** Users of the memory descriptor: the program until it ends, and each region. */
  private final AtomicInteger memoryUsers = new AtomicInteger(1);

  /** Mailboxes in one piece of shared memory. */
  private record Chunk(ByteBuffer memory, List<Mailbox> mailboxes) {}

  /**
   * Takes ownership of the descriptors.
   *
   * @param memory descriptor of the program's memory
   * @param process process id, or 0 if this process does not see it
   */
  AttachedProgram(HostService service, int connection, int memory, int bell, int process) {
    super(service.handles());
    this.service = service;
    this.connection = connection;
    this.memory = memory;
    this.bell = bell;
    this.process = process;
    life = process > 0 ? Kernel.pidFd(process) : -1;
    workers = new LimitedExecutor(service::execute, WAITING_VERBS);
    access = new ProgramAccess(memory, process, true);
    onDemand = new ProgramAccess(memory, process, false);
    locked = new LockedMemory(service.memlock());
    descriptors = service.shareOfDescriptors();
    mappings = service.shareOfMappings();
  }

  /** The program for which this thread works. */
  static AttachedProgram current() {
    return (AttachedProgram) Program.current();
  }

  /** Checks accesses against the AddressSanitizer's shadow, if any; after {@link #addChunk}. */
  void watchShadow(long scale, long offset) {
    if (Shadow.isScale(scale)) {
      shadow = new Shadow(memory, scale, offset, chunks[0].memory);
      access.watch(shadow);
      onDemand.watch(shadow);
    }
  }

  /** Prints explanations on the standard error of the program from now on. */
  void explainTo(ErrorLines.Output output) {
    errors = output;
  }

  /** Prints a line on the standard error of the program, if it has passed that to the service. */
  void explain(String line) {
    if (errors != null) {
      errors.print(line);
    }
  }

  /** Reports, once for each copy, that the service has long waited for the program's memory. */
  void reportStall(long nowNanos, BooleanSupplier isEngineWaiting) {
    for (ProgramAccess each : List.of(access, onDemand)) {
      if (each.hasStalled(nowNanos, isEngineWaiting)) {
        String line =
            "queuepair: the network of all programs waits for memory of process %d at 0x%x"
                .formatted(process, each.address());
        System.err.println(line);
        explain(line);
      }
    }
  }

  /** Texts by which a report names the objects of the program. */
  List<String> names() {
    return files.stream()
        .flatMap(file -> handles().latestFirst(file).stream())
        .map(handles()::find)
        .flatMap(
            object -> object instanceof RdmaCmFile file ? file.names().stream() : nameOf(object))
        .toList();
  }

  private static Stream<String> nameOf(Object object) {
    return object instanceof QueuePair qp
        ? Stream.of(": QP 0x%06x ".formatted(qp.qpNum()), qp + ": ")
        : Stream.of(object + ": ");
  }

  /**
   * Adds a chunk of mailboxes; returns its descriptor, which the caller passes on and closes.
   *
   * @throws VerbsException ENOMEM if the program has too many
   */
  int addChunk() {
    Chunk[] before = chunks;
    if (before.length == Protocol.MAX_CHUNKS) {
      throw new VerbsException(Errno.ENOMEM, Refusals.UNKNOWN_VERB, "too many threads");
    }
    int descriptor = Kernel.required(Kernel.createShared(Protocol.CHUNK_BYTES));
    ByteBuffer mapped = Kernel.mapped(descriptor, Protocol.CHUNK_BYTES);
    Kernel.seal(descriptor, 0);
    Mailbox[] mailboxes = new Mailbox[Protocol.CHUNK_MAILBOXES];
    Arrays.setAll(mailboxes, index -> new Mailbox(this, this::post, mapped, index));
    Chunk[] more = Arrays.copyOf(before, before.length + 1);
    more[before.length] = new Chunk(mapped, List.of(mailboxes));
    chunks = more;
    return descriptor;
  }

  /** Whether a call or a post is not yet taken. */
  boolean isCalling() {
    for (Chunk chunk : chunks) {
      if (pendingOf(chunk) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Bits of mailboxes with calls, and above them bits of those with posts. */
  private static long pendingOf(Chunk chunk) {
    return (long) LONG.getVolatile(chunk.memory, 0) & ALL_CALLS_AND_POSTS;
  }

  /**
   * Answers some calls: those that cannot wait on this thread, the others on worker threads. All
   * programs get the same number in a turn, and threads of a program take turns. Posts made before
   * a call are taken first.
   *
   * @return whether there was work
   */
  boolean answerCalls() {
    Chunk[] present = chunks;
    int left = POSTS_A_TURN;
    for (int i = 0; i < present.length && left > 0; i++) {
      Chunk chunk = present[(firstChunk + i) % present.length];
      for (long pending = pendingOf(chunk); pending != 0 && left > 0; pending = pendingOf(chunk)) {
        left = takePosts(present, left);
        int calls = (int) pending & ALL_MAILBOXES;
        if (calls != 0 && left > 0) {
          int place = next(calls, firstMailbox);
          LONG.getAndBitwiseAnd(chunk.memory, 0, ~(1L << place));
          firstMailbox = (place + 1) % Protocol.CHUNK_MAILBOXES;
          answer(chunk.mailboxes.get(place));
          left -= CALL_POSTS;
        }
      }
    }
    if (left <= 0) {
      firstChunk = (firstChunk + 1) % present.length;
    }
    return left < POSTS_A_TURN;
  }

  /** First of some mailboxes from a place on, cyclically. */
  private static int next(int mailboxes, int from) {
    int later = mailboxes & (-1 << from);
    return Integer.numberOfTrailingZeros(later != 0 ? later : mailboxes);
  }

  /** Takes posts of all chunks; returns what is left of {@code most}. */
  private int takePosts(Chunk[] present, int most) {
    int left = most;
    for (int i = 0; i < present.length; i++) {
      Chunk chunk = present[(firstChunk + i) % present.length];
      int mailboxes = (int) (pendingOf(chunk) >>> Protocol.CHUNK_MAILBOXES) & ALL_MAILBOXES;
      while (mailboxes != 0 && left > 0) {
        int place = next(mailboxes, firstPoster);
        mailboxes &= ~(1 << place);
        firstPoster = (place + 1) % Protocol.CHUNK_MAILBOXES;
        left = takePosts(chunk, place, left);
      }
    }
    return left;
  }

  /** Takes posts of a mailbox; returns what is left of {@code most}. */
  private static int takePosts(Chunk chunk, int place, int most) {
    Mailbox mailbox = chunk.mailboxes.get(place);
    long bit = 1L << (Protocol.CHUNK_MAILBOXES + place);
    long bits = bit | bit << Protocol.CHUNK_MAILBOXES;
    long before = (long) LONG.getAndBitwiseAnd(chunk.memory, 0, ~bits);
    try {
      return mailbox.takePosts(most);
    } finally {
      if (mailbox.hasPosts()) {
        LONG.getAndBitwiseOr(chunk.memory, 0, bit | (before & bits));
      }
    }
  }

  /**
   * Takes the posts of mailboxes with receives. Runs after {@link #answerCalls} of all programs and
   * before the network, so that a receive posted before a send of another program is there when the
   * message arrives.
   *
   * @return whether there was work
   */
  boolean takeReceives() {
    int left = RECEIVES_A_TURN;
    for (Chunk chunk : chunks) {
      long pending = (long) LONG.getVolatile(chunk.memory, 0);
      int mailboxes = (int) (pending >>> (2 * Protocol.CHUNK_MAILBOXES)) & ALL_MAILBOXES;
      for (; mailboxes != 0 && left > 0; mailboxes &= mailboxes - 1) {
        left = takePosts(chunk, Integer.numberOfTrailingZeros(mailboxes), left);
      }
    }
    return left < RECEIVES_A_TURN;
  }

  /** Takes all posts; the next post to each queue needs a call. Engine thread only. */
  void endPosts() {
    for (Chunk chunk : chunks) {
      chunk.mailboxes.forEach(Mailbox::endPosts);
    }
  }

  /** Queue whose room for receives the library may know, or null if each receive needs a call. */
  ReceivePoster receivesOf(long queue) {
    return service.isReachedByOthers() ? null : (ReceivePoster) handles().find(queue);
  }

  /** Posts requests without an answer; refuses them if the program lacks the file of the queue. */
  private int post(long queue, boolean isReceive, ByteBuffer posts, int[] places, int count) {
    OpenFile file = handles().fileOf(queue);
    if (file == null || !files.contains(file) || file.isEnding) {
      return -1;
    }
    ProgramThread.current().workFor(this, file);
    int room = PostingEntries.postUnanswered(queue, isReceive, posts, places, count);
    return file.isShared ? Math.min(room, 0) : room;
  }

  private void answer(Mailbox mailbox) {
    ServiceEntry entry = mailbox.entry();
    long handle = mailbox.handle();
    OpenFile file = handles().fileOf(handle);
    boolean isEnd = entry == ServiceEntry.CLOSE;
    if (file != null && (!files.contains(file) || (file.isEnding && !isEnd))) {
      mailbox.answer(-Kernel.EBADF);
      return;
    }
    if (entry == ServiceEntry.RDMA_CM_COMMAND && !service.lets(this, file)) {
      explain("queuepair: rdma_cm: EACCES: another process has opened the event channel");
      mailbox.answer(-Kernel.EACCES);
      return;
    }
    boolean isEndOfFile = isEnd && file != null && file.handle() == handle;
    if (!isEndOfFile && !entry.mayWait()) {
      mailbox.answer(entry, handle, file);
    } else if (!mailbox.startWaiting()) {
      return; // An earlier call still waits: its thread has not awaited the answer.
    } else if (isEndOfFile) {
      answerWhenEnded(mailbox, file);
    } else {
      answerOnAThread(mailbox, entry, handle, file);
    }
  }

  private void answerOnAThread(Mailbox mailbox, ServiceEntry entry, long handle, OpenFile file) {
    Phaser others = file == null ? calls : file.calls;
    calls.register();
    others.register();
    Runnable done =
        () -> {
          others.arriveAndDeregister();
          calls.arriveAndDeregister();
        };
    try {
      workers.execute(
          () -> {
            try {
              mailbox.answer(entry, handle, file);
            } finally {
              ProgramThread.current().workFor(null, null);
              done.run();
            }
          });
    } catch (OutOfMemoryError noThread) {
      explain("queuepair: ENOMEM: the system has no more threads for verbs that wait");
      mailbox.answer(-Errno.ENOMEM.code());
      done.run();
    }
  }

  /** Answers when a file has ended, if the program has closed its last descriptor. */
  private void answerWhenEnded(Mailbox mailbox, OpenFile file) {
    if (Kernel.isHungUp(file.end) == 0) {
      mailbox.answer(0);
      return;
    }
    calls.register();
    service.end(file);
    CompletableFuture<Void> unused =
        file.ended.thenRun(
            () -> {
              mailbox.answer(0);
              calls.arriveAndDeregister();
            });
  }

  /** Passes a descriptor to the program, without waiting; false if that fails. */
  boolean pass(int descriptor) {
    ByteBuffer message = ByteBuffer.allocateDirect(Integer.BYTES);
    int sent = Kernel.send(connection, message, 0, Integer.BYTES, descriptor, 0, 0);
    return sent == Integer.BYTES;
  }

  /** Opens a file and makes it the file of the present call; the program gets a descriptor. */
  OpenFile openFile() {
    long ends = descriptors.take(AttachedProgram::openPair);
    long cookie = Kernel.cookieOf((int) ends);
    OpenFile file = new OpenFile(handles(), this, (int) (ends >>> Integer.SIZE), cookie);
    CompletableFuture<Void> unused = file.ended.thenRun(descriptors::release);
    files.add(file);
    service.add(file);
    ProgramThread.current().workFor(this, file);
    return file;
  }

  /**
   * Creates a socket for events, whose other end the program gets.
   *
   * @param file whose own socket carries the events, or null for a new one
   */
  EventSocket openEvents(OpenFile file) {
    int descriptor =
        file == null
            ? (int) (descriptors.take(AttachedProgram::openPair) >>> Integer.SIZE)
            : descriptors.take(() -> Kernel.required(Kernel.duplicate(file.end)));
    return new EventSocket(service.control(), descriptor, descriptors::release);
  }

  /**
   * Creates two connected sockets: the service's in the upper 32 bits, the program's in the lower.
   */
  private static long openPair() {
    long ends = Kernel.socketPair();
    Kernel.required((int) Math.min(ends, 0));
    ProgramThread.current().pass((int) ends);
    return ends;
  }

  /** Whether the program is known to have a descriptor of a file. */
  boolean has(OpenFile file) {
    return files.contains(file);
  }

  /** Open files of which the program is known to have a descriptor. */
  Set<OpenFile> files() {
    return files;
  }

  /**
   * Lets the program poll a completion queue without calls, in shared memory. The lock keeps memory
   * from being unmapped while the queue has it: several threads may resize the queue.
   */
  void share(CompletionQueue cq, long handle, ByteBuffer args) {
    synchronized (cq) {
      int entries = Math.max(1, Integer.highestOneBit(2 * cq.cqe() - 1));
      CompletionRingWriter ring = mappings.take(() -> newRing(entries));
      try {
        ((MappableCq) cq).map(ring);
      } catch (VerbsException destroyed) {
        unmap(ring);
        throw destroyed;
      }
      handles().onRemove(handle, () -> unmap(ring));
      Args.setSlot(args, 1, entries);
    }
  }

  private CompletionRingWriter newRing(int entries) {
    int descriptor = Kernel.required(Kernel.createShared(CompletionRingWriter.bytesOf(entries)));
    CompletionRingWriter ring =
        new CompletionRingWriter(
            descriptor,
            entries,
            service.epochNanos(),
            Refusals.areExplained()
                ? failed -> explain("queuepair: " + Refusals.reasonOf(failed))
                : failed -> {});
    ProgramThread.current().pass(descriptor);
    Kernel.seal(descriptor, 0);
    return ring;
  }

  private void unmap(CompletionRingWriter ring) {
    ring.unmap();
    mappings.release();
  }

  /**
   * Memory for a region.
   *
   * @param isOnDemand whether each access respects the present protection of the pages; otherwise
   *     they count as pinned, and pages protected later stay accessible
   */
  HostMemory range(long address, long length, boolean isOnDemand) {
    return new ProcessMemory(isOnDemand ? onDemand : access, address, length);
  }

  /**
   * Pins the memory of a region until its handle is removed, and unpins its former memory.
   *
   * @param isOnDemand whether nothing is pinned; only the memory descriptor is kept, which may
   *     outlive the program
   * @return to be called with the handle of the region, or with 0 if there is none
   * @throws VerbsException ENOMEM if the limit of pinned memory is exceeded
   */
  LongConsumer pin(long address, long length, boolean isOnDemand) {
    Runnable unpin = isOnDemand ? () -> {} : locked.pin(address, length);
    memoryUsers.incrementAndGet();
    return handle -> {
      if (handle > 0) {
        handles().onRemove(handle, () -> release(unpin));
      } else {
        release(unpin);
      }
    };
  }

  /** Unpins a region; closes the descriptor of the program's memory if no other user is left. */
  private void release(Runnable unpin) {
    unpin.run();
    if (memoryUsers.decrementAndGet() == 0) {
      service.closeLater(memory);
    }
  }

  /**
   * Changes a region.
   *
   * @param request without a buffer; its iova, if present, is the address of the new memory
   * @param length of the new memory in bytes
   */
  void rereg(MemoryRegion region, ReregMr request, long length) {
    if (request.iova().isEmpty()) {
      region.rereg(request);
    } else {
      boolean isOnDemand = request.access().contains(AccessFlag.ON_DEMAND);
      HostMemory memory = range(request.iova().getAsLong(), length, isOnDemand);
      ((MovableRegion) region).rereg(request, (ProcessMemory) memory);
    }
  }

  /** Copies memory of the program; EFAULT if it is not mapped. */
  ByteBuffer read(long address, int length) {
    ByteBuffer copy = ByteBuffer.allocateDirect(length);
    if (length > 0 && !access.read(address, copy, 0, length)) {
      throw new VerbsException(Errno.EFAULT, Refusals.UNKNOWN_VERB, "the memory is not mapped");
    }
    return copy;
  }

  /** Writes a buffer to memory of the program; EFAULT if it is not mapped. */
  void written(long address, ByteBuffer filled) {
    int length = filled.capacity();
    ByteBuffer piece = ByteBuffer.allocateDirect(ProgramAccess.PIECE_BYTES);
    piece.order(ByteOrder.nativeOrder()).putLong(0, address);
    piece.putInt(ProgramAccess.PIECE_LENGTH, length);
    if (length > 0 && access.write(filled, piece, 0, 1) != 1) {
      throw new VerbsException(Errno.EFAULT, Refusals.UNKNOWN_VERB, "the memory is not mapped");
    }
  }

  /** Leaves a line for the program, which it finds when it has ended for the service. */
  void giveReason(String line) {
    Args.putText(chunks[0].memory, Protocol.CHUNK_REASON, line, Protocol.REASON_BYTES);
  }

  /** Waits until no worker works for the program, which the engine has stopped answering. */
  void awaitCalls() {
    calls.arriveAndAwaitAdvance();
  }

  /** Frees memory and descriptors, which must not be in use any more. */
  void free() {
    if (shadow != null) {
      shadow.end();
    }
    for (Chunk chunk : chunks) {
      chunk.memory.putInt(Protocol.CHUNK_CLOSED, 1);
      VarHandle.fullFence();
      for (Mailbox mailbox : chunk.mailboxes) {
        mailbox.close();
      }
      Kernel.unmap(chunk.memory, Protocol.CHUNK_BYTES);
    }
    if (errors != null) {
      errors.close();
    }
    access.forgetProcess();
    onDemand.forgetProcess();
    release(() -> {});
    Kernel.close(connection);
    Kernel.close(bell);
    if (life > 0) {
      Kernel.close(life);
    }
  }
}
