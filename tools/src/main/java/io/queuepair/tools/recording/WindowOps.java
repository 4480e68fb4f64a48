// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Operations for memory windows and their binds. */
final class WindowOps {
  private static final String WINDOW = "mw";
  private static final String RKEY = "rkey";

  /** Field of the key after the allocation. */
  private static final String FIRST_RKEY = "rkey0";

  /** Field of the key before the last bind. */
  private static final String OLD_RKEY = "oldrkey";

  private static final int TAG = 0xff;

  private WindowOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("alloc_mw", WindowOps::allocate);
    ops.put(
        "dealloc_mw",
        (device, args, recorded) -> ObjectOps.destroy(MemoryWindow.class, device, args));
    ops.put("bind_mw", WindowOps::bind);
    ops.put("set_mw_rkey", WindowOps::setRkey);
  }

  private static ObjectNode allocate(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("name", "pd", "type");
    ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
    MwType type = args.constant(MwType.class, "type");
    String name = args.text("name");
    return CallResults.of(
        () -> {
          MemoryWindow mw = pd.allocMw(type);
          device.put(name, mw);
          define(device, name, FIRST_RKEY, mw.rkey());
          define(device, name, RKEY, mw.rkey());
        });
  }

  private static void define(RecordedDevice device, String window, String field, int rkey) {
    device.define(window, field, Integer.toUnsignedLong(rkey));
  }

  /** Binds a window of type 1; without keys if the note says that the library refused it. */
  private static ObjectNode bind(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("qp", WINDOW, "wr_id", "mr", "off", "length", "access");
    QueuePair qp = device.get(QueuePair.class, args.text("qp"));
    MemoryWindow mw = device.get(MemoryWindow.class, args.text(WINDOW));
    Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
    MwBind bind = new MwBind(args.number("wr_id"), signaled, binding(device, args));
    int before = mw.rkey();
    ObjectNode answer = CallResults.of(() -> qp.bindMw(mw, bind));
    answer.remove(CallResults.BAD_WR);
    if (recorded != null && recorded.has("note")) {
      answer.set("note", recorded.get("note"));
      return answer;
    }
    int after = mw.rkey();
    define(device, args.text(WINDOW), RKEY, after);
    define(device, args.text(WINDOW), OLD_RKEY, before);
    return answer
        .put("rkey_changed", after != before)
        .put("rkey_is_inc", after == ((before & ~TAG) | ((before + 1) & TAG)));
  }

  private static MwBindInfo binding(RecordedDevice device, RecordedArgs args) {
    MemoryRegion region = device.get(Memory.class, args.text("mr")).region();
    long addr = region.addr() + args.number("off");
    return new MwBindInfo(
        region, addr, args.number("length"), args.flags(AccessFlag.class, "access"));
  }

  static BindMwWr request(RecordedDevice device, RecordedArgs wr, Set<SendFlag> flags) {
    RecordedArgs bind = wr.inner("bind").allow(WINDOW, RKEY, "mr", "off", "length", "access");
    MemoryWindow mw = device.get(MemoryWindow.class, bind.text(WINDOW));
    return new BindMwWr(wr.number("wr_id"), flags, mw, bind.int32(RKEY), binding(device, bind));
  }

  /** Sets the recorded key of a window of type 2, as a C program does in its structure. */
  private static ObjectNode setRkey(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(WINDOW, RKEY);
    String window = args.text(WINDOW);
    device.get(MemoryWindow.class, window);
    int rkey = args.int32(RKEY);
    long before = device.symbols().number("$" + device.name() + "." + window + "." + RKEY);
    define(device, window, OLD_RKEY, (int) before);
    define(device, window, RKEY, rkey);
    return CallResults.success();
  }
}
