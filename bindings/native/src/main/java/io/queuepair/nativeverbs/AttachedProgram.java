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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * A program that is attached to the service: its memory, its mailboxes, and the open files that it
 * has, by itself or from others.
 */
final class AttachedProgram extends Program {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /**
   * Posts of a program between two looks at the others, whom it is not to keep. What they write is
   * written by one system call.
   */
  private static final int POSTS_A_TURN = 16;

  /** A call counts for so many. */
  private static final int CALL_POSTS = 4;

  private static final int ALL_MAILBOXES = (1 << Protocol.CHUNK_MAILBOXES) - 1;
  private static final long ALL_CALLS_AND_POSTS = (1L << (2 * Protocol.CHUNK_MAILBOXES)) - 1;

  /**
   * Posts in a turn beyond that where receives are among them: more than a mailbox has room for.
   */
  private static final int RECEIVES_A_TURN = 512;

  private static final int EBADF = 9;
  private static final int EACCES = 13;

  /** What one copy of device memory may be. */
  private static final int MAX_COPY = 1 << 30;

  final int connection;
  final int bell;

  /** Its number, or 0 if this process does not see it. */
  final int process;

  /** Readable when the process has ended; below 0 if this process does not see it. */
  final int life;

  private final HostService service;
  private final int memory;
  private final ProgramAccess access;
  private final ProgramAccess onDemand;
  private final LockedMemory locked;
  private final Set<OpenFile> files = ConcurrentHashMap.newKeySet();
  private volatile Chunk[] chunks = {};

  /** Null if the program wants no explanations. */
  private ErrorLines.Output errors;

  /** Where the next turn looks first; of the engine. */
  private int firstChunk;

  private int firstMailbox;
  private int firstPoster;

  /** Null unless the program has one. */
  private Shadow shadow;

  /** Calls that other threads than the engine carry out, and the end, which awaits them. */
  private final Phaser calls = new Phaser(1);

  /** The program itself, until it ends, and each region of its memory. */
  private final AtomicInteger memoryUsers = new AtomicInteger(1);

  /** Mailboxes that came together. */
  private record Chunk(ByteBuffer memory, List<Mailbox> mailboxes) {}

  /**
   * Takes over the descriptors.
   *
   * @param memory of the program
   * @param process its number, or 0 if this process does not see it
   */
  AttachedProgram(HostService service, int connection, int memory, int bell, int process) {
    super(service.handles());
    this.service = service;
    this.connection = connection;
    this.memory = memory;
    this.bell = bell;
    this.process = process;
    life = process > 0 ? Kernel.pidFd(process) : -1;
    access = new ProgramAccess(memory, process, true);
    onDemand = new ProgramAccess(memory, process, false);
    locked = new LockedMemory(service.memlock());
  }

  /** The program for which this thread works. */
  static AttachedProgram current() {
    return (AttachedProgram) Program.current();
  }

  /** Looks into the shadow of the AddressSanitizer, if there is one; after {@link #addChunk}. */
  void watchShadow(long scale, long offset) {
    if (Shadow.isScale(scale)) {
      shadow = new Shadow(memory, scale, offset, chunks[0].memory);
      access.watch(shadow);
      onDemand.watch(shadow);
    }
  }

  /** Takes over the standard error of the program, for what concerns it. */
  void explainTo(ErrorLines.Output output) {
    errors = output;
  }

  /** Prints a line on the standard error of the program, if it has passed that. */
  void explain(String line) {
    if (errors != null) {
      errors.print(line);
    }
  }

  /** Says, once each time, that the service has waited for its memory for long. */
  void reportStall(long nowNanos) {
    for (ProgramAccess each : List.of(access, onDemand)) {
      if (each.hasStalled(nowNanos)) {
        String line =
            "queuepair: the network of all programs waits for memory of process %d at 0x%x"
                .formatted(process, each.address());
        System.err.println(line);
        explain(line);
      }
    }
  }

  /** By what a report names what it has. */
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
   * Makes mailboxes; a descriptor of them, to be passed and closed.
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
    Arrays.setAll(mailboxes, index -> new Mailbox(this, mapped, index));
    Chunk[] more = Arrays.copyOf(before, before.length + 1);
    more[before.length] = new Chunk(mapped, List.of(mailboxes));
    chunks = more;
    return descriptor;
  }

  /** Whether there is a call or a post that was not taken yet. */
  boolean isCalling() {
    for (Chunk chunk : chunks) {
      if (pendingOf(chunk) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Bits of mailboxes: with calls below, with posts above. */
  private static long pendingOf(Chunk chunk) {
    return (long) LONG.getVolatile(chunk.memory, 0) & ALL_CALLS_AND_POSTS;
  }

  /**
   * Answers some calls: what cannot wait at once, and the rest by others. All programs have as many
   * in a turn, and its threads follow each other. What was posted before a call comes first.
   *
   * @return whether there was something
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

  /** The first of some mailboxes, from a place on and around. */
  private static int next(int mailboxes, int from) {
    int later = mailboxes & (-1 << from);
    return Integer.numberOfTrailingZeros(later != 0 ? later : mailboxes);
  }

  /** Takes some of the posts; how many less there were. */
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

  /** Takes some of the posts of a mailbox; how many less there were, as a look counts, too. */
  private static int takePosts(Chunk chunk, int place, int most) {
    Mailbox mailbox = chunk.mailboxes.get(place);
    long bit = 1L << (Protocol.CHUNK_MAILBOXES + place);
    long bits = bit | bit << Protocol.CHUNK_MAILBOXES;
    long before = (long) LONG.getAndBitwiseAnd(chunk.memory, 0, ~bits);
    try {
      return Math.min(mailbox.takePosts(most), most - 1);
    } finally {
      if (mailbox.hasPosts()) {
        LONG.getAndBitwiseOr(chunk.memory, 0, bit | (before & bits));
      }
    }
  }

  /**
   * Takes the posts of mailboxes with receives, between {@link #answerCalls} of all programs and
   * the network: what was posted before a send elsewhere is there when the message arrives.
   *
   * @return whether there was something
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

  /** Takes all posts, and lets the next ones be awaited; of the engine. */
  void endPosts() {
    for (Chunk chunk : chunks) {
      chunk.mailboxes.forEach(Mailbox::endPosts);
    }
  }

  /** What receives are posted to, or null if each is to be awaited. */
  ReceivePoster receivesOf(long queue) {
    return service.isReachedByOthers() ? null : (ReceivePoster) handles().find(queue);
  }

  /** Posts a request whose answer is not awaited; how many more sends there is room for, or -1. */
  int post(long queue, boolean isReceive, ByteBuffer posts, int at) {
    OpenFile file = handles().fileOf(queue);
    if (file == null || !files.contains(file) || file.isEnding) {
      return -1;
    }
    ProgramThread.current().workFor(this, file);
    int room = PostingEntries.postUnanswered(queue, isReceive, posts, at);
    return file.isShared ? Math.min(room, 0) : room;
  }

  private void answer(Mailbox mailbox) {
    ServiceEntry entry = mailbox.entry();
    long handle = mailbox.handle();
    OpenFile file = handles().fileOf(handle);
    boolean isEnd = entry == ServiceEntry.CLOSE;
    if (file != null && (!files.contains(file) || (file.isEnding && !isEnd))) {
      mailbox.answer(-EBADF);
      return;
    }
    if (entry == ServiceEntry.RDMA_CM_COMMAND && !service.lets(this, file)) {
      explain("queuepair: rdma_cm: EACCES: another process has opened the event channel");
      mailbox.answer(-EACCES);
      return;
    }
    if (!entry.mayWait(handle, file)) {
      mailbox.answer(entry, handle, file);
      return;
    }
    if (!mailbox.startWaiting()) {
      return; // Its thread did not await the answer.
    }
    Phaser others = file == null || isEnd ? calls : file.calls;
    calls.register();
    others.register();
    service.execute(
        () -> {
          try {
            mailbox.answer(entry, handle, file);
          } finally {
            ProgramThread.current().workFor(null, null);
            others.arriveAndDeregister();
            calls.arriveAndDeregister();
          }
        });
  }

  /** Passes a descriptor; whether that was possible without waiting. */
  boolean pass(int descriptor) {
    ByteBuffer message = ByteBuffer.allocateDirect(Integer.BYTES);
    int sent = Kernel.send(connection, message, 0, Integer.BYTES, descriptor, 0, 0);
    return sent == Integer.BYTES;
  }

  /** Opens a file, which the present call is about from now on; the program gets a descriptor. */
  OpenFile openFile() {
    long ends = openPair();
    long cookie = Kernel.cookieOf((int) ends);
    OpenFile file = new OpenFile(handles(), this, (int) (ends >>> Integer.SIZE), cookie);
    files.add(file);
    service.add(file);
    ProgramThread.current().workFor(this, file);
    return file;
  }

  /**
   * Makes a socket for events, whose other end the program gets.
   *
   * @param file whose own descriptor it is to be, or null
   */
  EventSocket openEvents(OpenFile file) {
    int descriptor =
        file == null
            ? (int) (openPair() >>> Integer.SIZE)
            : Kernel.required(Kernel.duplicate(file.end));
    return new EventSocket(service.control(), descriptor);
  }

  /** Two ends, of which the program gets the lower one. */
  private static long openPair() {
    long ends = Kernel.socketPair();
    Kernel.required((int) Math.min(ends, 0));
    ProgramThread.current().pass((int) ends);
    return ends;
  }

  /** Whether the program has a descriptor of a file, as far as is known. */
  boolean has(OpenFile file) {
    return files.contains(file);
  }

  /** Open files of which the program has a descriptor, as far as is known. */
  Set<OpenFile> files() {
    return files;
  }

  /** Awaits the end of a file of which the program has closed a descriptor, if it was the last. */
  void closed(OpenFile file) {
    if (Kernel.isHungUp(file.end) != 0) {
      service.end(file);
      file.ended.join();
    }
  }

  /** Lets the program poll a completion queue by itself. */
  void share(CompletionQueue cq, long handle, ByteBuffer args) {
    int entries = Math.max(1, Integer.highestOneBit(2 * cq.cqe() - 1));
    int descriptor = Kernel.required(Kernel.createShared(CompletionRingWriter.bytesOf(entries)));
    CompletionRingWriter ring =
        new CompletionRingWriter(
            descriptor,
            entries,
            service.epochNanos(),
            Refusals.areExplained()
                ? failed -> explain("queuepair: " + Refusals.reasonOf(failed))
                : failed -> {});
    Kernel.seal(descriptor, 0);
    ((MappableCq) cq).map(ring);
    handles().onRemove(handle, ring::unmap);
    Args.setSlot(args, 1, entries);
    ProgramThread.current().pass(descriptor);
  }

  /**
   * A range of memory for a region.
   *
   * @param isOnDemand whether each access asks what the program may do then; otherwise its pages
   *     are as good as pinned, and what it protects later stays accessible
   */
  HostMemory range(long address, long length, boolean isOnDemand) {
    return new ProcessMemory(isOnDemand ? onDemand : access, address, length);
  }

  /**
   * Pins the memory of a region, until its handle is removed; its memory before is pinned no more.
   *
   * @param isOnDemand whether that is the way to the memory only, which outlives the program
   * @return what pins it, when the region has its handle
   * @throws VerbsException ENOMEM if the program may not pin so much
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

  /** The way to the memory is kept until the program has ended, and its regions are gone. */
  private void release(Runnable unpin) {
    unpin.run();
    if (memoryUsers.decrementAndGet() == 0) {
      service.closeLater(memory);
    }
  }

  /**
   * Changes a region.
   *
   * @param request without a buffer; its address, if it moves, is where the memory begins
   * @param length of the memory it moves to
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

  /** A copy of memory. */
  ByteBuffer read(long address, long length) {
    ByteBuffer copy = room(address, length);
    if (length > 0 && !access.read(address, copy, 0, (int) length)) {
      throw new VerbsException(Errno.EFAULT, Refusals.UNKNOWN_VERB, "the memory is not mapped");
    }
    return copy;
  }

  /** Memory to be filled: {@link #written} tells that it is. */
  ByteBuffer room(long address, long length) {
    if (length < 0 || length > MAX_COPY) {
      throw new VerbsException(Errno.ENOMEM, Refusals.UNKNOWN_VERB, length + " bytes at once");
    }
    return ByteBuffer.allocateDirect((int) length);
  }

  /** Puts what {@link #room} gave to where it belongs. */
  void written(long address, ByteBuffer filled) {
    int length = filled.capacity();
    ByteBuffer piece = ByteBuffer.allocateDirect(ProgramAccess.PIECE_BYTES);
    piece.order(ByteOrder.nativeOrder()).putLong(0, address);
    piece.putInt(ProgramAccess.PIECE_LENGTH, length);
    if (length > 0 && access.write(filled, piece, 0, 1) != 1) {
      throw new VerbsException(Errno.EFAULT, Refusals.UNKNOWN_VERB, "the memory is not mapped");
    }
  }

  /** Returns when no thread works for the program, which the engine answers no more. */
  void awaitCalls() {
    calls.arriveAndAwaitAdvance();
  }

  /** Gives back memory and descriptors; nothing is left that uses them. */
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
