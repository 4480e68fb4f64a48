// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.UdWr;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Formats work requests and their memory as statements of a scenario. */
final class WorkText {
  /** Limit of the bytes of a region that a statement {@code show} prints, for each request. */
  private static final int SHOWN_BYTES = 32;

  private final List<Region> regions = new ArrayList<>();

  /** Regions in the order of their first use. */
  private final Set<Region> used = new LinkedHashSet<>();

  private final Set<String> contents = new LinkedHashSet<>();
  private final Set<String> windows = new LinkedHashSet<>();
  private final Set<String> handles = new LinkedHashSet<>();
  private final Set<String> looks = new LinkedHashSet<>();

  private record Region(SimulatedHost host, String name, MemoryRegion memory, boolean isFilled) {
    long end() {
      return memory.addr() + memory.length();
    }

    String fullName() {
      return host.name() + "." + name;
    }

    /** Whether an address is in the region, or directly after its end if {@code orEnd}. */
    boolean has(long addr, boolean orEnd) {
      long offset = addr - memory.addr();
      return offset >= 0 && (orEnd ? offset <= memory.length() : offset < memory.length());
    }

    String registration() {
      String access =
          switch (name) {
            case "source" -> "REMOTE_READ";
            case "words" -> "LOCAL_WRITE|REMOTE_WRITE|REMOTE_ATOMIC|FLUSH_GLOBAL";
            case SimulatedHost.FOREIGN -> "LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC";
            default ->
                name.startsWith("local") ? "LOCAL_WRITE" : "LOCAL_WRITE|REMOTE_WRITE|MW_BIND";
          };
      String pd = name.equals(SimulatedHost.FOREIGN) ? " pd=" + domain() : "";
      String fill = isFilled ? " fill=" + MemoryPool.FILL : "";
      String length = " length=" + memory.length();
      return "reg_mr " + fullName() + pd + length + fill + " access=" + access;
    }

    /** Name of the protection domain of a region outside that of the queue pairs. */
    String domain() {
      return fullName() + "_pd";
    }
  }

  void add(SimulatedHost host, String name, MemoryRegion region, boolean isFilled) {
    regions.add(new Region(host, name, region, isFilled));
  }

  /** Name of a region with an offset. */
  String place(MemoryRegion memory, long offset) {
    for (Region region : regions) {
      if (region.memory == memory) {
        return place(region, memory.addr() + offset);
      }
    }
    throw new IllegalArgumentException("a region without a device");
  }

  private String place(Region region, long addr) {
    used.add(region);
    long offset = addr - region.memory.addr();
    return region.fullName() + (offset == 0 ? "" : "+" + offset);
  }

  private Region find(SimulatedHost host, long addr) {
    for (boolean orEnd : new boolean[] {false, true}) {
      for (Region region : regions) {
        if (region.host == host && region.has(addr, orEnd)) {
          return region;
        }
      }
    }
    throw new IllegalArgumentException("0x" + Long.toHexString(addr) + " is not registered");
  }

  String of(SimulatedQp side, RecvWr wr) {
    return "wr_id=" + wr.wrId() + sges(side.host, wr.sgList());
  }

  String of(SimulatedQp side, SendWr wr) {
    SendWr plain = wr instanceof UdWr datagram ? datagram.wr() : wr;
    StringJoiner text = new StringJoiner(" ");
    text.add("wr_id=" + wr.wrId());
    text.add("opcode=" + plain.opcode());
    text.add("flags=" + flags(wr.flags()));
    String sges = sges(side.host, plain.sgList());
    if (!sges.isEmpty()) {
      text.add(sges.strip());
    }
    if (plain instanceof SendWr.RemoteAccess access) {
      text.add(remote(side.peer().host, access, length(plain)));
    }
    addWindow(side, plain, text);
    if (plain instanceof SendWr.WithImmediate immediate) {
      text.add("imm=" + HexFormat.of().toHexDigits(immediate.immData()));
    }
    if (plain instanceof AtomicCmpAndSwpWr swap) {
      text.add("compare_add=" + hex(swap.compare())).add("swap=" + hex(swap.swap()));
    } else if (plain instanceof AtomicFetchAndAddWr add) {
      text.add("compare_add=" + hex(add.add()));
    } else if (plain instanceof FlushWr flush) {
      text.add("length=" + flush.length());
    }
    if (wr instanceof UdWr datagram) {
      text.add(address(side, datagram));
    }
    return text.toString();
  }

  private void addWindow(SimulatedQp side, SendWr wr, StringJoiner text) {
    if (wr instanceof BindMwWr bind) {
      MwBindInfo binding = bind.binding();
      Region region = find(side.host, binding.addr());
      used.add(region);
      text.add("bind.mw=" + name(side.window))
          .add("bind.rkey=" + key(side.window, bind.rkey()))
          .add("bind.mr=" + region.fullName())
          .add("bind.off=" + (binding.addr() - region.memory.addr()))
          .add("bind.length=" + binding.length())
          .add("bind.access=REMOTE_WRITE");
    } else if (wr instanceof LocalInvWr invalidation) {
      text.add("invalidate_rkey=" + key(side.window, invalidation.invalidateRkey()));
    } else if (wr instanceof SendWithInvWr send) {
      text.add("invalidate_rkey=" + key(side.peer().window, send.invalidateRkey()));
    }
  }

  private static String name(WindowModel window) {
    return ScenarioJournal.name(window.side) + "_window";
  }

  /** Text of a window's key, relative to its first key: the numbers differ in a scenario. */
  private String key(WindowModel window, int key) {
    windows.add("alloc_mw " + name(window));
    return name(window) + ".rkey0+" + (key - window.firstKey);
  }

  private static String flags(Set<SendFlag> flags) {
    String names = flags.stream().sorted().map(SendFlag::name).collect(Collectors.joining("|"));
    return names.isEmpty() ? "none" : names;
  }

  private static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  private static long length(SendWr wr) {
    return wr.sgList().stream().mapToLong(Sge::length).sum();
  }

  private String sges(SimulatedHost host, List<Sge> sges) {
    StringJoiner text = new StringJoiner(",", " sge=", "").setEmptyValue("");
    for (Sge sge : sges) {
      Region region = find(host, sge.addr());
      boolean isOwnKey = sge.lkey() == region.memory.lkey();
      String key = isOwnKey ? "" : "@0x" + Integer.toHexString(sge.lkey());
      text.add(place(region, sge.addr()) + ":" + sge.length() + key);
      needs(region, sge.addr(), sge.length());
    }
    return text.toString();
  }

  private String remote(SimulatedHost peer, SendWr.RemoteAccess access, long length) {
    Region region = find(peer, access.remoteAddr());
    needs(region, access.remoteAddr(), Math.min(length, region.end() - access.remoteAddr()));
    WindowModel window = peer.windowOf(access.rkey());
    if (window != null) {
      used.add(region);
      long offset = access.remoteAddr() - region.memory.addr();
      String addr = "remote_addr=" + region.fullName() + ".addr+" + offset;
      return addr + " rkey=" + key(window, access.rkey());
    }
    boolean isOwnKey = access.rkey() == region.memory.rkey();
    String key = isOwnKey ? "" : " rkey=0x" + Integer.toHexString(access.rkey());
    return "remote=" + place(region, access.remoteAddr()) + key;
  }

  private String address(SimulatedQp side, UdWr wr) {
    String handle = side.host.name() + ".peer";
    handles.add("create_ah " + handle + " dgid=" + side.peer().host.name() + ".gid0");
    return String.format(
        Locale.ROOT,
        "ah=%s remote_qpn=%s.num remote_qkey=0x%x",
        handle,
        ScenarioJournal.name(side.peer()),
        wr.remoteQkey());
  }

  /** Adds memory of a request: constant bytes are filled at first, others shown at last. */
  private void needs(Region region, long addr, long length) {
    int offset = (int) (addr - region.memory.addr());
    if (length == 0) {
      return;
    }
    if (region.name.equals("source")) {
      byte[] bytes = new byte[(int) length];
      region.memory.buffer().get(offset, bytes);
      contents.add("fill " + place(region, addr) + " 0x" + HexFormat.of().formatHex(bytes));
    } else {
      looks.add("show " + place(region, addr) + ":" + Math.min(length, SHOWN_BYTES));
    }
  }

  /** Statements that precede the first post. */
  List<String> preparations() {
    List<String> all = new ArrayList<>();
    used.stream()
        .filter(region -> region.name.equals(SimulatedHost.FOREIGN))
        .forEach(region -> all.add("alloc_pd " + region.domain()));
    used.forEach(region -> all.add(region.registration()));
    all.addAll(windows);
    all.addAll(contents);
    all.addAll(handles);
    return all;
  }

  /** Statements that show the content of used memory. */
  List<String> looks() {
    return List.copyOf(looks);
  }
}
