// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import static io.queuepair.verbs.QpType.RAW_PACKET;
import static io.queuepair.verbs.QpType.RC;
import static io.queuepair.verbs.QpType.UC;
import static io.queuepair.verbs.QpType.UD;
import static io.queuepair.verbs.QpType.XRC_SEND;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations of each queue pair type, and the setters that a request of extended posting needs:
 * the tables of ibv_wr_post(3) and ibv_post_send(3). The man pages list SEND_WITH_INV for UC, but
 * it has no opcode on the wire.
 */
public final class OperationTable {
  private static final Map<WrOpcode, SendOperation> TABLE = new EnumMap<>(WrOpcode.class);

  static {
    add(SendOpsFlag.WITH_SEND, WrOpcode.SEND, Content.ANY, RC, UC, UD, XRC_SEND, RAW_PACKET);
    add(SendOpsFlag.WITH_SEND_WITH_IMM, WrOpcode.SEND_WITH_IMM, Content.ANY, RC, UC, UD, XRC_SEND);
    add(SendOpsFlag.WITH_SEND_WITH_INV, WrOpcode.SEND_WITH_INV, Content.ANY, RC, XRC_SEND);
    add(SendOpsFlag.WITH_TSO, WrOpcode.TSO, Content.ENTRIES, UD, RAW_PACKET);
    add(SendOpsFlag.WITH_RDMA_WRITE, WrOpcode.RDMA_WRITE, Content.ANY, RC, UC, XRC_SEND);
    add(
        SendOpsFlag.WITH_RDMA_WRITE_WITH_IMM,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        Content.ANY,
        RC,
        UC,
        XRC_SEND);
    add(SendOpsFlag.WITH_RDMA_READ, WrOpcode.RDMA_READ, Content.ENTRIES, RC, XRC_SEND);
    add(
        SendOpsFlag.WITH_ATOMIC_CMP_AND_SWP,
        WrOpcode.ATOMIC_CMP_AND_SWP,
        Content.ENTRIES,
        RC,
        XRC_SEND);
    add(
        SendOpsFlag.WITH_ATOMIC_FETCH_AND_ADD,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        Content.ENTRIES,
        RC,
        XRC_SEND);
    add(SendOpsFlag.WITH_ATOMIC_WRITE, WrOpcode.ATOMIC_WRITE, Content.OF_THE_BUILDER, RC);
    add(SendOpsFlag.WITH_FLUSH, WrOpcode.FLUSH, Content.NONE, RC);
    add(SendOpsFlag.WITH_BIND_MW, WrOpcode.BIND_MW, Content.NONE, RC, UC, XRC_SEND);
    add(SendOpsFlag.WITH_LOCAL_INV, WrOpcode.LOCAL_INV, Content.NONE, RC, UC, XRC_SEND);
  }

  private OperationTable() {}

  private static void add(SendOpsFlag flag, WrOpcode opcode, Content content, QpType... types) {
    Set<QpType> offering = EnumSet.noneOf(QpType.class);
    Collections.addAll(offering, types);
    TABLE.put(opcode, new SendOperation(opcode, flag, content, offering));
  }

  /**
   * One row of the table.
   *
   * @param flag what asks for it at creation
   * @param content what it carries
   * @param types types of queue pairs that have it
   */
  public record SendOperation(
      WrOpcode opcode, SendOpsFlag flag, Content content, Set<QpType> types) {
    /** The setters that a request on a queue pair of a type may have. */
    public Set<WrSetter> setters(QpType type) {
      Set<WrSetter> setters = EnumSet.noneOf(WrSetter.class);
      setters.addAll(content.setters);
      setters.addAll(addressing(type));
      return setters;
    }

    /** Whether one of the setters that give a request data is among them. */
    public boolean takes(WrSetter data) {
      return content.setters.contains(data);
    }

    /** Those of them that say where it goes. */
    Set<WrSetter> addressing(QpType type) {
      return content == Content.NONE ? WrSetter.NOTHING : WrSetter.addressing(type);
    }

    /** Whether {@link io.queuepair.verbs.SendFlag#INLINE} is possible. */
    boolean mayBeInline() {
      return content == Content.ANY || content == Content.OF_THE_BUILDER;
    }
  }

  /** What a request carries. */
  public enum Content {
    /** Nothing. */
    NONE,

    /** What its builder gave it. */
    OF_THE_BUILDER,

    /** Registered memory. */
    ENTRIES(WrSetter.SGE),

    /** Registered memory or bytes. */
    ANY(WrSetter.SGE, WrSetter.INLINE_DATA);

    private final Set<WrSetter> setters = EnumSet.noneOf(WrSetter.class);

    Content(WrSetter... setters) {
      Collections.addAll(this.setters, setters);
    }
  }

  /** What is set after a builder; a list and its single form are one setter. */
  public enum WrSetter {
    SGE("setSge"),
    INLINE_DATA("setInlineData"),
    UD_ADDR("setUdAddr"),
    XRC_SRQN("setXrcSrqn");

    private static final Set<WrSetter> NOTHING = Set.of();
    private static final Set<WrSetter> DATAGRAM = Set.of(UD_ADDR);
    private static final Set<WrSetter> SHARED_QUEUE = Set.of(XRC_SRQN);

    private final String method;

    WrSetter(String method) {
      this.method = method;
    }

    /** The name of the call. */
    public String method() {
      return method;
    }

    /** Whether it gives the request data, which can be done once. */
    public boolean isData() {
      return this == SGE || this == INLINE_DATA;
    }

    /** What every request needs that leaves a queue pair of a type. */
    public static Set<WrSetter> addressing(QpType type) {
      return switch (type) {
        case UD -> DATAGRAM;
        case XRC_SEND -> SHARED_QUEUE;
        case RC, UC, RAW_PACKET, XRC_RECV, DRIVER -> NOTHING;
      };
    }
  }

  /** The row of an operation; null for those of vendors. */
  public static @Nullable SendOperation of(WrOpcode opcode) {
    return TABLE.get(opcode);
  }

  /** All rows, in the order of the C constants. */
  public static Iterable<SendOperation> all() {
    return Collections.unmodifiableCollection(TABLE.values());
  }

  /** Whether Soft-RoCE of Linux 6.1 does not have an operation, whatever the type. */
  static boolean isUnknownToLinux61(WrOpcode opcode) {
    return opcode == WrOpcode.FLUSH || opcode == WrOpcode.ATOMIC_WRITE || opcode == WrOpcode.TSO;
  }

  /** Whether queue pairs of a type have an operation. */
  public static boolean has(QpType type, WrOpcode opcode) {
    return TABLE.containsKey(opcode) && TABLE.get(opcode).types().contains(type);
  }

  /** Whether {@code ibv_create_qp_ex} grants an operation. */
  static boolean grants(QpType type, SendOpsFlag flag, DeviceProfile profile) {
    WrOpcode opcode = opcodeOf(flag);
    boolean isLinux = profile.has(Quirk.SEND_OPS_OF_LINUX);
    if (isLinux && type == UC && opcode == WrOpcode.SEND_WITH_INV) {
      return true;
    }
    if (isLinux && (isUnknownToLinux61(opcode) || (type == UC && opcode == WrOpcode.LOCAL_INV))) {
      return false;
    }
    return has(type, opcode);
  }

  private static WrOpcode opcodeOf(SendOpsFlag flag) {
    for (SendOperation operation : TABLE.values()) {
      if (operation.flag() == flag) {
        return operation.opcode();
      }
    }
    throw new AssertionError(flag);
  }
}
