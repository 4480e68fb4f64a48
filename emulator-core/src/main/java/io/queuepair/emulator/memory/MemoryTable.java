// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MwType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All registered memory of a device. It assigns keys and addresses, and finds regions and windows
 * by key.
 *
 * <p>A key is a slot number in the upper 24 bits and a tag in the lower 8. A slot that is used
 * again gets another tag, so that a stale key fails. Addresses only grow, with an unmapped page
 * between regions, so that an access beyond the end of one is refused. Keys and addresses depend on
 * nothing but the order of registrations.
 */
public final class MemoryTable {
  private static final long FIRST_ADDR = 0x1_0000_0000L;
  private static final int PAGE_BYTES = 4096;
  private static final int TAG_BITS = 8;
  private static final int TAG_MASK = (1 << TAG_BITS) - 1;

  /** Bit of separate lkeys; no rkey has it, as there are never so many slots. */
  private static final int LKEY_MASK = 1 << 31;

  /** Slot 0 stays empty: key 0 is never valid. */
  private final List<KeyedMemory> slots = new ArrayList<>();

  private final List<Integer> tags = new ArrayList<>();
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private final Staging staging;
  private final ScatterGather scatterGather = new ScatterGather(this);
  private WriteWatch watch = WriteWatch.NONE;
  private long nextAddr = FIRST_ADDR;
  private int windows;

  /** Result of the last {@link #load}. */
  private long loaded;

  /** Bits in which an lkey differs from the rkey of the same region. */
  private final int lkeyMask;

  /** Creates an empty table of regions whose lkey equals their rkey. */
  public MemoryTable() {
    this(false, new Staging(() -> {}));
  }

  /**
   * Creates an empty table.
   *
   * @param hasSeparateKeys whether the lkey of a region differs from its rkey
   * @param staging copies to and from the memory of other processes
   */
  public MemoryTable(boolean hasSeparateKeys, Staging staging) {
    this.staging = staging;
    lkeyMask = hasSeparateKeys ? LKEY_MASK : 0;
    slots.add(null);
    tags.add(0);
  }

  /** Sets the listener to writes of the device. */
  public void watchWrites(WriteWatch newWatch) {
    watch = newWatch;
  }

  /** Access to the memory by scatter/gather lists. */
  public ScatterGather scatterGather() {
    return scatterGather;
  }

  /** Copies to and from the memory of other processes. */
  public Staging staging() {
    return staging;
  }

  /** Number of registered regions. */
  public int size() {
    return slots.size() - 1 - freeSlots.size() - windows;
  }

  /** Number of allocated windows, bound or not. */
  public int windows() {
    return windows;
  }

  /**
   * Assigns the next addresses to a buffer.
   *
   * @param bytes memory from position to limit; the address has the same offset in a page as the
   *     position in the buffer
   */
  public MappedBuffer place(ByteBuffer bytes) {
    long inPage = bytes.position() % PAGE_BYTES;
    MappedBuffer mappedBuffer = new MappedBuffer(nextAddr + inPage, bytes.slice());
    long pages = (inPage + bytes.remaining() + PAGE_BYTES - 1) / PAGE_BYTES;
    nextAddr += (pages + 1) * PAGE_BYTES;
    return mappedBuffer;
  }

  /** Registers memory at the next addresses. */
  public RegisteredMemory register(int domain, ByteBuffer bytes, Set<AccessFlag> access) {
    return register(domain, place(bytes), access);
  }

  public RegisteredMemory register(int domain, MappedMemory mappedMemory, Set<AccessFlag> access) {
    return add(new RegisteredMemory(nextKeys(), domain, mappedMemory, access, staging));
  }

  /** Registers a null MR: reads return zeros and writes are discarded, at any address. */
  public RegisteredMemory registerNullMr(int domain) {
    return add(RegisteredMemory.nullMr(nextKeys(), domain));
  }

  private RegisteredMemory add(RegisteredMemory memory) {
    put(memory);
    return memory;
  }

  private RegisteredMemory.Keys nextKeys() {
    int key = takeKey();
    return new RegisteredMemory.Keys(key ^ lkeyMask, key);
  }

  /** Allocates a window that is not bound. */
  public MemoryWindowState allocate(int domain, MwType type) {
    MemoryWindowState window = new MemoryWindowState(takeKey(), domain, type);
    put(window);
    windows++;
    return window;
  }

  private int takeKey() {
    int slot = freeSlots.isEmpty() ? addSlot() : freeSlots.removeFirst();
    return (slot << TAG_BITS) | ((tags.get(slot) + 1) & TAG_MASK);
  }

  private int addSlot() {
    slots.add(null);
    tags.add(0);
    return slots.size() - 1;
  }

  private void put(KeyedMemory memory) {
    slots.set(slotOf(memory.key()), memory);
  }

  /** Deregisters a region. Windows still bound to it must be freed before the next access. */
  public void deregister(RegisteredMemory memory) {
    remove(memory, memory.key());
  }

  /**
   * Frees a window, bound or not.
   *
   * @param lastKey latest key that the application may have: that of a bind that may never have
   *     been executed
   */
  public void free(MemoryWindowState window, int lastKey) {
    window.unbind();
    remove(window, lastKey);
    windows--;
  }

  private void remove(KeyedMemory memory, int lastKey) {
    int slot = slotOf(memory.key());
    assert slots.get(slot) == memory;
    assert slotOf(lastKey) == slot;
    slots.set(slot, null);
    tags.set(slot, lastKey & TAG_MASK);
    freeSlots.addLast(slot);
  }

  private static int slotOf(int key) {
    return key >>> TAG_BITS;
  }

  private boolean holds(KeyedMemory memory) {
    int slot = slotOf(memory.key());
    return slot < slots.size() && slots.get(slot) == memory;
  }

  /** Key with the slot of one key and the tag of another. */
  static int sameSlot(int slotOf, int tagOf) {
    return (slotOf & ~TAG_MASK) | (tagOf & TAG_MASK);
  }

  static boolean areOfOneSlot(int key, int other) {
    return slotOf(key) == slotOf(other);
  }

  /**
   * Binds a window, or unbinds one of type 1.
   *
   * @param accessor protection domain and queue pair of the bind
   * @return reason of the refusal in words, or null on success
   */
  public @Nullable String bind(MwBindRequest bind, AccessContext accessor) {
    if (!holds(bind.window())) {
      return "the memory window was deallocated, or is of another device";
    }
    if (!bind.isUnbind() && !holds(bind.region())) {
      return "the region was deregistered, or is of another device";
    }
    String refusal = MwBindRules.refusal(bind, accessor);
    if (refusal == null) {
      bind.window().bind(bind, accessor.incarnation());
    }
    return refusal;
  }

  /** Reason in words why a request of a queue pair may not invalidate a key, or null. */
  public @Nullable String invalidationRefusal(int rkey, AccessContext accessor) {
    return MwBindRules.invalidationRefusal(find(rkey), accessor);
  }

  /** Invalidates a key that passed {@link #invalidationRefusal}. */
  public void invalidate(int rkey) {
    ((MemoryWindowState) find(rkey)).unbind();
  }

  /**
   * Checks an access of a peer.
   *
   * @param access the flag needed
   * @return why it is refused, or null
   */
  public @Nullable MemoryFault faultOf(
      int rkey, AccessContext accessor, MemoryRange range, AccessFlag access) {
    KeyedMemory memory = find(rkey);
    return memory == null ? MemoryFault.UNKNOWN_KEY : memory.faultOf(accessor, range, access);
  }

  /** Checks an access of a peer to the whole range of a key. */
  public @Nullable MemoryFault faultOf(int rkey, AccessContext accessor, AccessFlag access) {
    KeyedMemory memory = find(rkey);
    return memory == null
        ? MemoryFault.UNKNOWN_KEY
        : memory.faultOf(accessor, memory.fullRange(), access);
  }

  /**
   * Checks a local access by lkey. Windows are for peers only.
   *
   * @param addr address of the first byte
   * @param length bytes
   * @param access the flag needed, or null if none is
   */
  public @Nullable MemoryFault localFaultOf(
      int lkey, int domain, long addr, long length, @Nullable AccessFlag access) {
    KeyedMemory memory = find(lkey ^ lkeyMask);
    if (memory == null) {
      return MemoryFault.UNKNOWN_KEY;
    }
    return memory instanceof RegisteredMemory region
        ? region.faultOf(domain, addr, length, access)
        : MemoryFault.WINDOW_KEY;
  }

  /**
   * Describes a refused access of a peer: the rule, the access, and the memory of the key.
   *
   * @param range range of the access; null for the whole range of the key
   */
  public String reasonOf(
      MemoryFault fault, int rkey, @Nullable MemoryRange range, AccessFlag access) {
    String asked = access + " of " + (range == null ? "everything" : range) + " by rkey ";
    return fault.text() + ": " + asked + described(rkey, find(rkey));
  }

  /** Describes a refused local access: the rule, the range, and the memory of the lkey. */
  String localReasonOf(MemoryFault fault, int lkey, MemoryRange range) {
    return fault.text() + ": " + range + " by lkey " + described(lkey, find(lkey ^ lkeyMask));
  }

  private static String described(int key, @Nullable KeyedMemory memory) {
    String hex = String.format("0x%08x", key);
    return memory == null ? hex : hex + memory.description();
  }

  /** Writes to a checked range of a peer's access. */
  public void write(int rkey, long addr, Payload payload) {
    write(find(rkey), addr, payload);
  }

  /** Writes to a checked range of a local access. */
  void writeLocal(int lkey, long addr, Payload payload) {
    write(find(lkey ^ lkeyMask), addr, payload);
  }

  private void write(KeyedMemory memory, long addr, Payload payload) {
    if (staging.isOpen() && memory.process() == null && !staging.hasWrittenAll()) {
      return;
    }
    if (watch != WriteWatch.NONE && memory.process() == null) {
      watch.writing(memory.view(addr, payload.length()));
    }
    memory.write(addr, payload);
  }

  /** View of a checked range of a peer's access. */
  public Payload view(int rkey, long addr, int length) {
    return find(rkey).view(addr, length);
  }

  /** View of a checked range of a local access. */
  Payload localView(int lkey, long addr, int length) {
    return find(lkey ^ lkeyMask).view(addr, length);
  }

  /** Sets a checked range of a local access as the payload of a packet. */
  void showLocal(int lkey, long addr, int length, MutablePacket packet) {
    find(lkey ^ lkeyMask).show(addr, length, packet);
  }

  /**
   * View of a registered range whatever its rights, as the processor reads it by a plain pointer.
   * If several regions have the address, which applications may choose, the hint decides, and then
   * the order of keys.
   *
   * @param hint lkey of the region to try first; it need not be valid
   * @param domains protection domains to search
   * @return null if no region has the range
   */
  @Nullable Payload viewAnywhere(int hint, MemoryRange range, IntPredicate domains) {
    KeyedMemory hintedMemory = find(hint ^ lkeyMask);
    if (hintedMemory instanceof RegisteredMemory region
        && !region.isNullMr()
        && region.process() == null
        && domains.test(region.domain())
        && region.contains(range.addr(), range.length(), false)) {
      return hintedMemory.view(range.addr(), (int) range.length());
    }
    for (KeyedMemory memory : slots) {
      if (memory != null && holds(memory, range, domains)) {
        return memory.view(range.addr(), (int) range.length());
      }
    }
    return null;
  }

  private static boolean holds(KeyedMemory memory, MemoryRange range, IntPredicate domains) {
    return memory instanceof RegisteredMemory region
        && region.bytes() != null
        && !region.isNullMr()
        && domains.test(region.domain())
        && region.fullRange().contains(range);
  }

  /** Whether an lkey is that of a region kept in one buffer. */
  boolean hasBytes(int lkey) {
    return find(lkey ^ lkeyMask) instanceof RegisteredMemory region
        && !region.isNullMr()
        && region.bytes() != null;
  }

  /**
   * Loads a 64-bit number, in native byte order, from a checked address into {@link #loaded}.
   *
   * @return false if the memory of a process is not mapped there
   */
  public boolean load(int rkey, long addr) {
    KeyedMemory memory = find(rkey);
    if (memory.process() == null) {
      loaded = number(memory.view(addr, Long.BYTES)).getLong(0);
      return true;
    }
    int at = staging.readNumber(memory.process().access(), memory.processAddress(addr));
    loaded = at < 0 ? 0 : staging.buffer().getLong(at);
    return at >= 0;
  }

  public long loaded() {
    return loaded;
  }

  /** Stores a 64-bit number, in native byte order, at a checked address. */
  public void store(int rkey, long addr, long value) {
    KeyedMemory memory = find(rkey);
    if (memory.process() == null) {
      Payload target = memory.view(addr, Long.BYTES);
      watch.writing(target);
      number(target).putLong(0, value);
    } else {
      ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
      memory.write(addr, new Payload(bytes.putLong(0, value), 0, Long.BYTES));
    }
  }

  /** Whether the memory of a checked rkey is in another process. */
  public boolean isOfProcess(int rkey) {
    return staging.isOpen() && find(rkey).process() != null;
  }

  /** Whether the memory of an lkey is in another process. */
  boolean isLocalOfProcess(int lkey) {
    KeyedMemory memory = find(lkey ^ lkeyMask);
    return memory != null && memory.process() != null;
  }

  /**
   * Stages a checked range of a peer's access, which is memory of another process.
   *
   * @param offset offset of the range in its message
   * @return false if some of it is not mapped
   */
  public boolean stage(StagedRange range, int rkey, long addr, long offset, int length) {
    KeyedMemory memory = find(rkey);
    int at = staging.take(range, offset, length);
    if (!staging.read(memory.process().access(), memory.processAddress(addr), at, length)) {
      range.clear();
      return false;
    }
    return true;
  }

  /** Copies a checked local range into the staging buffer; false if some is not mapped. */
  boolean stageLocal(int lkey, long addr, int length, int at) {
    KeyedMemory memory = find(lkey ^ lkeyMask);
    if (memory.process() == null) {
      memory.view(addr, length).copyTo(staging.buffer(), at);
      return true;
    }
    return staging.read(memory.process().access(), memory.processAddress(addr), at, length);
  }

  private static ByteBuffer number(Payload view) {
    return view.buffer().slice(view.offset(), Long.BYTES).order(ByteOrder.nativeOrder());
  }

  private @Nullable KeyedMemory find(int key) {
    int slot = slotOf(key);
    KeyedMemory memory = slot < slots.size() ? slots.get(slot) : null;
    return memory != null && memory.key() == key ? memory : null;
  }
}
