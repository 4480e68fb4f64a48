// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.observe.MemorySnapshot;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Detects writes to memory, and reads for peers. */
final class MemoryWatch {
  /** Size limit of watched buffers: comparing larger ones takes too long. */
  private static final int MOST_WATCHED = 1 << 16;

  private static final int MOST_SHOWN = 32;
  private static final int MOST_RANGES = 4;

  /** Ranges with a smaller distance are shown as one. */
  private static final int GAP = 8;

  private final ScenarioEnvironment environment;
  private final Map<String, ByteBuffer> copies = new LinkedHashMap<>();

  MemoryWatch(ScenarioEnvironment environment) {
    this.environment = environment;
  }

  /** Views of all regions and windows, with reads and posts since the last call. */
  List<MemoryView> views(List<RemoteRead> reads, List<PostedBytes> posted) {
    List<MemoryView> views = new ArrayList<>();
    environment.forEachObject(
        (name, object) -> {
          RecordedDevice device = environment.device(name);
          String own = name.substring(name.indexOf('.') + 1);
          Optional<MemoryRegion> region = device.region(own);
          region.ifPresent(
              mr -> views.add(view(name, mr, device.buffer(own).orElseThrow(), reads, posted)));
          if (object instanceof MemoryWindow window) {
            String text = text(DeviceInspector.of(window), "memory window", "not bound");
            views.add(MemoryView.withoutBytes(name, text));
          }
        });
    return views;
  }

  private MemoryView view(
      String name,
      MemoryRegion region,
      ByteBuffer now,
      List<RemoteRead> reads,
      List<PostedBytes> posted) {
    MemorySnapshot snapshot = DeviceInspector.of(region);
    String text = text(snapshot, "memory region", "deregistered");
    if (now.capacity() > MOST_WATCHED) {
      return MemoryView.withoutBytes(name, text);
    }
    List<MemoryView.Bytes> read =
        reads.stream()
            .filter(one -> one.device().equals(Statements.device(name)) && contains(snapshot, one))
            .map(one -> bytes(now, (int) (one.addr() - snapshot.addr()), one.length()))
            .toList();
    return new MemoryView(
        name,
        text,
        now.capacity(),
        written(name, now),
        read,
        posted(name, now, posted, false),
        posted(name, now, posted, true));
  }

  private static List<MemoryView.Bytes> posted(
      String name, ByteBuffer now, List<PostedBytes> posted, boolean isToBeWritten) {
    return posted.stream()
        .filter(one -> one.isToBeWritten() == isToBeWritten && one.isIn(name, now.capacity()))
        .map(one -> bytes(now, (int) one.offset(), (int) one.length()))
        .toList();
  }

  private static boolean contains(MemorySnapshot snapshot, RemoteRead read) {
    long offset = read.addr() - snapshot.addr();
    return snapshot.isOpen() && offset >= 0 && offset <= snapshot.length() - read.length();
  }

  private static MemoryView.Bytes bytes(ByteBuffer buffer, int offset, int length) {
    return new MemoryView.Bytes(offset, length, hex(buffer, offset, offset + length));
  }

  private static String text(MemorySnapshot snapshot, String kind, String ifClosed) {
    if (!snapshot.isOpen()) {
      return kind + ", " + ifClosed;
    }
    String access =
        Stream.of(AccessFlag.values())
            .filter(snapshot.access()::contains)
            .map(AccessFlag::name)
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s, %d bytes from 0x%x, R_Key 0x%08x, %s",
        kind,
        snapshot.length(),
        snapshot.addr(),
        snapshot.rkey(),
        access.isEmpty() ? "local reading only" : access);
  }

  private List<MemoryView.Bytes> written(String name, ByteBuffer now) {
    ByteBuffer before = copies.get(name);
    List<MemoryView.Bytes> ranges = new ArrayList<>();
    if (before == null || before.capacity() != now.capacity()) {
      copies.put(name, ByteBuffer.allocate(now.capacity()).put(0, now, 0, now.capacity()));
      return ranges;
    }
    int from = mismatch(before, now, 0);
    while (from >= 0 && ranges.size() < MOST_RANGES) {
      int end = from + 1;
      int next = mismatch(before, now, end);
      while (next >= 0 && next - end <= GAP) {
        end = next + 1;
        next = mismatch(before, now, end);
      }
      ranges.add(bytes(now, from, end - from));
      from = next;
    }
    if (!ranges.isEmpty()) {
      before.put(0, now, 0, now.capacity());
    }
    return ranges;
  }

  /** First offset, from a given one on, at which two buffers differ; negative if there is none. */
  private static int mismatch(ByteBuffer one, ByteBuffer other, int from) {
    int length = one.capacity() - from;
    int found = one.slice(from, length).mismatch(other.slice(from, length));
    return found < 0 ? found : from + found;
  }

  private static String hex(ByteBuffer bytes, int from, int end) {
    byte[] copy = new byte[Math.min(end - from, MOST_SHOWN)];
    bytes.get(from, copy);
    return HexFormat.of().formatHex(copy);
  }
}
