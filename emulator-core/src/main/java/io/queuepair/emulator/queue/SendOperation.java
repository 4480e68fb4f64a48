// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static io.queuepair.emulator.queue.SendOperation.Content.ANY;
import static io.queuepair.emulator.queue.SendOperation.Content.ENTRIES;
import static io.queuepair.emulator.queue.SendOperation.Content.NOTHING;
import static io.queuepair.emulator.queue.SendOperation.Content.OF_THE_BUILDER;
import static io.queuepair.verbs.QpType.RAW_PACKET;
import static io.queuepair.verbs.QpType.RC;
import static io.queuepair.verbs.QpType.UC;
import static io.queuepair.verbs.QpType.UD;
import static io.queuepair.verbs.QpType.XRC_SEND;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WrOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of operations that can be posted, in the order of the C constants, as ibv_wr_post(3)
 * and ibv_post_send(3) have it. A row states the operation on the wire, whose row in {@link
 * Operation} says the rest, the opcode of the completion, what a request carries, and the types of
 * queue pairs that offer it. The man pages list SEND_WITH_INV for UC, but it has no opcode on the
 * wire.
 */
public enum SendOperation {
  RDMA_WRITE(Operation.RDMA_WRITE, WcOpcode.RDMA_WRITE, ANY, RC, UC, XRC_SEND),
  RDMA_WRITE_WITH_IMM(Operation.RDMA_WRITE, WcOpcode.RDMA_WRITE, ANY, RC, UC, XRC_SEND),
  SEND(Operation.SEND, WcOpcode.SEND, ANY, RC, UC, UD, XRC_SEND, RAW_PACKET),
  SEND_WITH_IMM(Operation.SEND, WcOpcode.SEND, ANY, RC, UC, UD, XRC_SEND),
  RDMA_READ(Operation.RDMA_READ_REQUEST, WcOpcode.RDMA_READ, ENTRIES, RC, XRC_SEND),
  ATOMIC_CMP_AND_SWP(Operation.COMPARE_SWAP, WcOpcode.COMP_SWAP, ENTRIES, RC, XRC_SEND),
  ATOMIC_FETCH_AND_ADD(Operation.FETCH_ADD, WcOpcode.FETCH_ADD, ENTRIES, RC, XRC_SEND),
  LOCAL_INV(null, WcOpcode.LOCAL_INV, NOTHING, RC, UC, XRC_SEND),
  BIND_MW(null, WcOpcode.BIND_MW, NOTHING, RC, UC, XRC_SEND),
  SEND_WITH_INV(Operation.SEND, WcOpcode.SEND, ANY, RC, XRC_SEND),
  TSO(Operation.SEND, WcOpcode.TSO, ENTRIES, UD, RAW_PACKET),
  /** Of vendors: no type offers it. */
  DRIVER1(null, WcOpcode.DRIVER1, NOTHING),
  FLUSH(Operation.FLUSH, WcOpcode.FLUSH, NOTHING, RC),
  ATOMIC_WRITE(Operation.ATOMIC_WRITE, WcOpcode.ATOMIC_WRITE, OF_THE_BUILDER, RC);

  /** Operations that Soft-RoCE of Linux 6.1 does not have, whatever the type. */
  private static final Set<SendOperation> UNKNOWN_TO_LINUX_6_1 =
      EnumSet.of(TSO, FLUSH, ATOMIC_WRITE);

  private static final String FLAG_PREFIX = "WITH_";

  private static final SendOperation[] BY_OPCODE =
      Stream.of(WrOpcode.values())
          .map(opcode -> valueOf(opcode.name()))
          .toArray(SendOperation[]::new);

  private final WrOpcode opcode;
  private final @Nullable Operation wireOperation;
  private final WcOpcode wcOpcode;
  private final Content content;

  /** Flag that asks for it at creation; null if no type offers it. */
  private final @Nullable SendOpsFlag flag;

  private final Set<QpType> types = EnumSet.noneOf(QpType.class);

  SendOperation(
      @Nullable Operation wireOperation, WcOpcode wcOpcode, Content content, QpType... types) {
    opcode = WrOpcode.valueOf(name());
    this.wireOperation = wireOperation;
    this.wcOpcode = wcOpcode;
    this.content = content;
    flag = types.length == 0 ? null : SendOpsFlag.valueOf(FLAG_PREFIX + name());
    Collections.addAll(this.types, types);
  }

  /** The row of an operation. */
  public static SendOperation of(WrOpcode opcode) {
    return BY_OPCODE[opcode.ordinal()];
  }

  public WrOpcode opcode() {
    return opcode;
  }

  /** Operation of its packets; null if it has none. */
  public @Nullable Operation wireOperation() {
    return wireOperation;
  }

  /** The opcode of its completion. */
  public WcOpcode wcOpcode() {
    return wcOpcode;
  }

  /** Flag that asks for it at creation; null if no type offers it. */
  public @Nullable SendOpsFlag flag() {
    return flag;
  }

  /** Whether queue pairs of a type offer it. */
  public boolean isOffered(QpType type) {
    return types.contains(type);
  }

  /** Whether it is carried out by the device alone, without a packet and without a PSN. */
  public boolean isLocal() {
    return this == BIND_MW || this == LOCAL_INV;
  }

  /**
   * Whether the peer answers it with more than an acknowledgement, so that it takes one of
   * MAX_QP_RD_ATOMIC and a later acknowledgement does not stand for the answer.
   */
  public boolean needsResponse() {
    return wireOperation != null && wireOperation.response() != Operation.ACKNOWLEDGE;
  }

  /** Whether the answer of the peer is put into the local memory, which otherwise is read. */
  public boolean isFetch() {
    return wireOperation != null && wireOperation.isFetch();
  }

  /** Whether it works on 8 bytes, at an address that is a multiple of 8. */
  public boolean isAtomic() {
    return wireOperation != null && wireOperation.isAtomic();
  }

  /** Whether it takes a receive of the peer. */
  public boolean takesReceive() {
    return wireOperation == Operation.SEND || hasImmediate();
  }

  /** Whether it carries immediate data. */
  public boolean hasImmediate() {
    return this == SEND_WITH_IMM || this == RDMA_WRITE_WITH_IMM;
  }

  /** Whether its data is brought by its builder, not set by a setter. */
  public boolean isDataOfTheBuilder() {
    return content == OF_THE_BUILDER;
  }

  /** Whether {@link io.queuepair.verbs.SendFlag#INLINE} is possible. */
  public boolean mayBeInline() {
    return content == ANY || content == OF_THE_BUILDER;
  }

  /** The setters that a request on a queue pair of a type may have. */
  public Set<WrSetter> setters(QpType type) {
    Set<WrSetter> setters = EnumSet.noneOf(WrSetter.class);
    setters.addAll(content.setters);
    setters.addAll(addressing(type));
    return setters;
  }

  /** Whether one of the setters that give a request data is among them. */
  public boolean takes(WrSetter setter) {
    return content.setters.contains(setter);
  }

  /** Setters of the destination. */
  public Set<WrSetter> addressing(QpType type) {
    return content == NOTHING ? Set.of() : WrSetter.addressing(type);
  }

  /** Whether Soft-RoCE of Linux 6.1 does not have it, whatever the type. */
  public boolean isUnknownToLinux61() {
    return UNKNOWN_TO_LINUX_6_1.contains(this);
  }

  /** Whether {@code ibv_create_qp_ex} grants an operation. */
  public static boolean grants(QpType type, SendOpsFlag flag, DeviceProfile profile) {
    SendOperation operation = valueOf(flag.name().substring(FLAG_PREFIX.length()));
    boolean isLinux = profile.has(Quirk.SEND_OPS_OF_LINUX);
    if (isLinux && type == UC && operation == SEND_WITH_INV) {
      return true;
    }
    if (isLinux && (operation.isUnknownToLinux61() || (type == UC && operation == LOCAL_INV))) {
      return false;
    }
    return operation.isOffered(type);
  }

  /** Kinds of payload of a request. */
  public enum Content {
    /** No payload. */
    NOTHING,

    /** Arguments of its builder. */
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

  /** Setters after a builder; a list and its single form are one setter. */
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

    /** Setters that every request needs which leaves a queue pair of a type. */
    public static Set<WrSetter> addressing(QpType type) {
      return switch (type) {
        case UD -> DATAGRAM;
        case XRC_SEND -> SHARED_QUEUE;
        case RC, UC, RAW_PACKET, XRC_RECV, DRIVER -> NOTHING;
      };
    }
  }
}
