// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The regions of a case, by name. {@code local[8,100]} is 100 bytes from the eighth on, {@code
 * local!bad} has a key that names nothing. As a target, {@code remote+8} is an address, {@code
 * remote!other} has another key than its own, {@code remote!w} that of the window or region w.
 * {@code zero} is address 0.
 */
final class CaseMemory {
  private static final Pattern PART = Pattern.compile("(\\w+)(?:\\[(-?\\d+),(\\d+)])?(!bad)?");
  private static final Pattern TARGET = Pattern.compile("(\\w+)([+-]\\d+)?(?:!(\\w+))?");

  private final ConnectedPair bed;
  private final Map<String, Window> windows;
  private final Map<String, MemoryRegion> regions = new TreeMap<>();

  /** Where regions begin: their addresses outlive them. */
  private final Map<String, Long> addresses = new TreeMap<>();

  private final Map<String, DeviceMemory> chips = new TreeMap<>();
  private final IdentityHashMap<TestEndpoint, ProtectionDomain> otherPds = new IdentityHashMap<>();

  CaseMemory(ConnectedPair bed, Map<String, Window> windows) {
    this.bed = bed;
    this.windows = windows;
    put("local", bed.local());
    put("remote", bed.remote());
    regions.put("zero", bed.remote());
    addresses.put("zero", 0L);
  }

  private void put(String name, MemoryRegion region) {
    regions.put(name, region);
    addresses.put(name, region.addr());
  }

  /** ALL or names separated by commas; those behind a minus are left out. */
  static Set<AccessFlag> rights(String words) {
    EnumSet<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
    for (String word : words.split(",", -1)) {
      switch (word) {
        case "NONE" -> {}
        case "ALL" -> rights.addAll(ConnectedPair.ALL_RIGHTS);
        case "ALL_REMOTE" -> rights.addAll(Window.ALL_REMOTE);
        default -> {
          if (word.startsWith("-")) {
            rights.remove(AccessFlag.valueOf(word.substring(1)));
          } else {
            rights.add(AccessFlag.valueOf(word));
          }
        }
      }
    }
    return rights;
  }

  void run(String verb, List<String> words) {
    String name = words.get(0);
    switch (verb) {
      case "region" -> register(words);
      case "rereg" -> {
        regions.get(name).rereg(change(words));
        addresses.put(name, regions.get(name).addr());
      }
      case "close" -> regions.get(name).close();
      case "fill" -> write(name, Bytes.fill(length(name), words.get(1).charAt(0)));
      case "full" -> {
        // 0 is what fresh memory holds, all else is a letter.
        int value = words.get(1).equals("0") ? 0 : words.get(1).charAt(0);
        assertThat(content(name)).as(name).containsOnly(value);
      }
      case "words" -> {
        write("local", word(name));
        write(words.size() > 2 ? words.get(2) : "remote", word(words.get(1)));
      }
      case "have" -> {
        assertThat(number("local")).as("local").isEqualTo(Long.decode(name));
        assertThat(number(words.size() > 2 ? words.get(2) : "remote"))
            .as("remote")
            .isEqualTo(Long.decode(words.get(1)));
      }
      default -> throw new IllegalArgumentException(verb);
    }
  }

  /** NAME SIDE BYTES RIGHTS, and how: by attributes, at an address, of the device, elsewhere. */
  private void register(List<String> words) {
    String name = words.get(0);
    TestEndpoint side = words.get(1).equals("b") ? bed.b() : bed.a();
    int bytes = Integer.parseInt(words.get(2));
    Set<AccessFlag> rights = rights(words.get(3));
    String how = words.size() > 4 ? words.get(4) : "";
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    ProtectionDomain pd = how.equals("other_pd") ? otherPd(side) : side.pd();
    if (how.equals("dm")) {
      // At the end of larger memory, so that offsets and addresses differ.
      chips.put(name, side.context().allocDm(AllocDmAttr.of(2L * bytes)));
      put(name, pd.regDmMr(chips.get(name), bytes, bytes, rights));
    } else if (how.startsWith("iova=")) {
      put(name, pd.regMrIova(buffer, Long.decode(how.substring("iova=".length())), rights));
    } else if (how.equals("ex")) {
      AccessFlag[] flags = rights.toArray(AccessFlag[]::new);
      put(name, pd.regMrEx(MrInitAttr.of(flags).withAddr(buffer)));
    } else {
      put(name, pd.regMr(buffer, rights));
    }
    write(name, Bytes.fill(bytes, side == bed.a() ? 'a' : 'b'));
  }

  /** Another domain than that of the queue pair, always the same. */
  ProtectionDomain otherPd(TestEndpoint side) {
    return otherPds.computeIfAbsent(side, any -> side.context().allocPd());
  }

  private ReregMr change(List<String> words) {
    return switch (words.get(1)) {
      case "access" ->
          ReregMr.nothing().withAccess(rights(words.get(2)).toArray(AccessFlag[]::new));
      case "memory" ->
          ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(length(words.get(0))));
      case "other_pd" -> ReregMr.nothing().withPd(otherPd(bed.b()));
      default -> ReregMr.nothing().withPd(bed.b().pd());
    };
  }

  private int length(String name) {
    return regions.get(name).length();
  }

  private void write(String name, byte[] bytes) {
    DeviceMemory chip = chips.get(name);
    if (chip == null) {
      Bytes.into(regions.get(name), 0, bytes);
    } else {
      chip.copyTo(chip.length() / 2, ByteBuffer.wrap(bytes));
    }
  }

  private byte[] content(String part) {
    Matcher matcher = matched(PART, part);
    String name = matcher.group(1);
    int offset = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    int length = matcher.group(3) == null ? length(name) : Integer.parseInt(matcher.group(3));
    DeviceMemory chip = chips.get(name);
    if (chip == null) {
      return Bytes.in(regions.get(name), offset, length);
    }
    ByteBuffer copy = ByteBuffer.allocate(length);
    chip.copyFrom(copy, chip.length() / 2 + offset);
    return copy.array();
  }

  /** The first bytes of the region local. */
  byte[] localBytes(int length) {
    return Bytes.in(bed.local(), 0, length);
  }

  private static byte[] word(String number) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    return word.putLong(0, Long.decode(number)).array();
  }

  private long number(String name) {
    return ByteBuffer.wrap(content(name + "[0,8]")).order(ByteOrder.nativeOrder()).getLong();
  }

  private static Matcher matched(Pattern pattern, String word) {
    Matcher matcher = pattern.matcher(word);
    assertThat(matcher.matches()).as(word).isTrue();
    return matcher;
  }

  Sge[] sges(List<String> parts) {
    return parts.stream().map(this::sge).toArray(Sge[]::new);
  }

  /** Also outside the region, which {@link MemoryRegion#sge(int, int)} refuses. */
  private Sge sge(String part) {
    Matcher matcher = matched(PART, part);
    MemoryRegion region = regions.get(matcher.group(1));
    int offset = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    int length = matcher.group(3) == null ? region.length() : Integer.parseInt(matcher.group(3));
    int lkey = matcher.group(4) == null ? region.lkey() : (region.lkey() + 10) * 5;
    return new Sge(addresses.get(matcher.group(1)) + offset, length, lkey);
  }

  private SendWr.RemoteTarget target(String word) {
    Matcher matcher = matched(TARGET, word);
    MemoryRegion region = regions.get(matcher.group(1));
    long offset = matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2));
    return new SendWr.RemoteTarget(
        addresses.get(matcher.group(1)) + offset, rkey(matcher.group(3), region));
  }

  private int rkey(String name, MemoryRegion region) {
    if (name == null) {
      return region.rkey();
    }
    return switch (name) {
      case "bad" -> ConnectedPair.BAD_KEY;
      case "other" -> region.rkey() + 70;
      default -> windows.containsKey(name) ? windows.get(name).rkey() : regions.get(name).rkey();
    };
  }

  /** A part of a region with rights, to bind a window over. */
  MwBindInfo binding(String part, String rights) {
    Sge over = sge(part);
    MemoryRegion region = regions.get(matched(PART, part).group(1));
    return new MwBindInfo(region, over.addr(), over.length(), rights(rights));
  }

  /** A request: its target, what it carries, where from or to. */
  SendWr request(String verb, long wrId, List<String> words) {
    List<String> rest = words.subList(Math.min(1, words.size()), words.size());
    return switch (verb) {
      case "send" -> SendWr.send(wrId, sges(words));
      case "send_imm" -> SendWr.sendWithImm(wrId, (int) value(words, 0), sges(rest));
      case "send_inv" -> SendWr.sendWithInv(wrId, invalidated(words.get(0)), sges(rest));
      case "write" -> {
        SendWr.RemoteTarget target = target(words.get(0));
        yield SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), sges(rest));
      }
      case "write_imm" -> {
        SendWr.RemoteTarget target = target(words.get(0));
        int imm = Long.decode(words.get(1)).intValue();
        Sge[] from = sges(words.subList(2, words.size()));
        yield SendWr.rdmaWriteWithImm(wrId, target.addr(), target.rkey(), imm, from);
      }
      case "read" -> {
        SendWr.RemoteTarget target = target(words.get(0));
        yield SendWr.rdmaRead(wrId, target.addr(), target.rkey(), sges(rest));
      }
      case "add" -> SendWr.fetchAndAdd(wrId, target(words.get(0)), value(words, 1), sge(words, 2));
      case "swap" ->
          SendWr.compareAndSwap(
              wrId, target(words.get(0)), value(words, 1), value(words, 2), sge(words, 3));
      case "atomic_write" -> {
        SendWr.RemoteTarget target = target(words.get(0));
        yield new AtomicWriteWr(wrId, List.of(sges(rest)), Set.of(), target.addr(), target.rkey());
      }
      case "flush" -> {
        SendWr.RemoteTarget target = target(words.get(0));
        yield new FlushWr(
            wrId,
            Set.of(),
            target.addr(),
            target.rkey(),
            value(words, 1),
            EnumSet.of(PlacementType.GLOBAL),
            SelectivityLevel.valueOf(words.get(2)));
      }
      default -> throw new IllegalArgumentException("no step " + verb);
    };
  }

  /** The key of a window, or with !bad one that names nothing. */
  private int invalidated(String word) {
    int rkey = windows.get(word.replace("!bad", "")).rkey();
    return word.endsWith("!bad") ? (rkey + 10) * 5 : rkey;
  }

  private static long value(List<String> words, int index) {
    return Long.decode(words.get(index));
  }

  private Sge sge(List<String> words, int index) {
    return sge(words.get(index));
  }
}
