package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * All registered memory of a device: hands out keys and emulated addresses, finds regions by key.
 *
 * <p>A key is a slot number in the upper 24 bits and a tag in the lower 8. A slot that is used
 * again gets another tag, so that a stale key fails. Addresses only grow, with an unmapped page
 * between regions, so that running over the end of one is noticed. Both depend on nothing but the
 * order of registrations.
 */
public final class MemoryTable {
  private static final long FIRST_ADDR = 0x1_0000_0000L;
  private static final int PAGE_BYTES = 4096;
  private static final int TAG_BITS = 8;

  /** Slot 0 stays empty: key 0 is never valid. */
  private final List<RegisteredMemory> slots = new ArrayList<>();

  private final List<Integer> tags = new ArrayList<>();
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private long nextAddr = FIRST_ADDR;

  public MemoryTable() {
    slots.add(null);
    tags.add(0);
  }

  /** How many regions are registered. */
  public int size() {
    return slots.size() - 1 - freeSlots.size();
  }

  public RegisteredMemory register(int domain, ByteBuffer bytes, Set<AccessFlag> access) {
    int slot = freeSlots.isEmpty() ? addSlot() : freeSlots.removeFirst();
    int tag = tags.get(slot) + 1 & (1 << TAG_BITS) - 1;
    tags.set(slot, tag);
    Set<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
    rights.addAll(access);
    RegisteredMemory memory =
        new RegisteredMemory(slot << TAG_BITS | tag, domain, nextAddr, bytes.slice(), rights);
    slots.set(slot, memory);
    long pages = (memory.length() + PAGE_BYTES - 1L) / PAGE_BYTES;
    nextAddr += (pages + 1) * PAGE_BYTES;
    return memory;
  }

  private int addSlot() {
    slots.add(null);
    tags.add(0);
    return slots.size() - 1;
  }

  public void deregister(RegisteredMemory memory) {
    int slot = memory.key() >>> TAG_BITS;
    assert slots.get(slot) == memory;
    slots.set(slot, null);
    freeSlots.addLast(slot);
  }

  /**
   * Checks an access by key.
   *
   * @param right the flag needed, or null if none is
   * @return why it is refused, or null
   */
  public MemoryFault faultOf(int key, int domain, MemoryRange range, AccessFlag right) {
    return faultOf(key, domain, range.addr(), range.length(), right);
  }

  /** Checks an access to a whole region by key. */
  public MemoryFault faultOf(int key, int domain, AccessFlag right) {
    RegisteredMemory memory = find(key);
    return memory == null
        ? MemoryFault.UNKNOWN_KEY
        : memory.faultOf(domain, memory.addr(), memory.length(), right);
  }

  MemoryFault faultOf(int key, int domain, long addr, long length, AccessFlag right) {
    RegisteredMemory memory = find(key);
    return memory == null ? MemoryFault.UNKNOWN_KEY : memory.faultOf(domain, addr, length, right);
  }

  /** A view of a range that {@link #faultOf} found nothing wrong with. */
  public Payload view(int key, long addr, int length) {
    return find(key).view(addr, length);
  }

  /** The 64-bit number, in the byte order of this machine, at a checked address. */
  public long load(int key, long addr) {
    return find(key).load(addr);
  }

  /** Stores a 64-bit number at a checked address. */
  public void store(int key, long addr, long value) {
    find(key).store(addr, value);
  }

  private RegisteredMemory find(int key) {
    int slot = key >>> TAG_BITS;
    RegisteredMemory memory = slot < slots.size() ? slots.get(slot) : null;
    return memory != null && memory.key() == key ? memory : null;
  }
}
