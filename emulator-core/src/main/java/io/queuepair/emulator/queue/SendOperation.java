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
 * Table of the operations that can be posted, in the order of the C constants, after ibv_wr_post(3)
 * and ibv_post_send(3). A row has the {@link Operation} on the wire, the opcode of the completion,
 * the payload of a request, and the queue pair types that offer it. The man pages list
 * SEND_WITH_INV for UC, but it has no opcode on the wire.
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
  /** Vendor-specific; no type offers it. */
  DRIVER1(null, WcOpcode.DRIVER1, NOTHING),
  FLUSH(Operation.FLUSH, WcOpcode.FLUSH, NOTHING, RC),
  ATOMIC_WRITE(Operation.ATOMIC_WRITE, WcOpcode.ATOMIC_WRITE, OF_THE_BUILDER, RC);

  /** Operations that Soft-RoCE of Linux 6.1 lacks for all types. */
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

  /** Flag that requests the operation in {@code ibv_create_qp_ex}; null if no type offers it. */
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

  public static SendOperation of(WrOpcode opcode) {
    return BY_OPCODE[opcode.ordinal()];
  }

  public WrOpcode opcode() {
    return opcode;
  }

  /** Operation of the packets; null if the operation sends none. */
  public @Nullable Operation wireOperation() {
    return wireOperation;
  }

  public WcOpcode wcOpcode() {
    return wcOpcode;
  }

  /** Flag that requests the operation in {@code ibv_create_qp_ex}; null if no type offers it. */
  public @Nullable SendOpsFlag flag() {
    return flag;
  }

  public boolean isOffered(QpType type) {
    return types.contains(type);
  }

  /** Whether the device executes the operation alone, without packets and PSNs. */
  public boolean isLocal() {
    return this == BIND_MW || this == LOCAL_INV;
  }

  /**
   * Whether the peer answers with more than an ACK. Then the operation counts against
   * MAX_QP_RD_ATOMIC, and a later ACK does not replace its response.
   */
  public boolean needsResponse() {
    return wireOperation != null && wireOperation.response() != Operation.ACKNOWLEDGE;
  }

  /** Whether the response is written to local memory, which other operations read. */
  public boolean isFetch() {
    return wireOperation != null && wireOperation.isFetch();
  }

  /** Whether the operation works on 8 bytes, at an address that is a multiple of 8. */
  public boolean isAtomic() {
    return wireOperation != null && wireOperation.isAtomic();
  }

  /** Whether the operation consumes a receive of the peer. */
  public boolean takesReceive() {
    return wireOperation == Operation.SEND || hasImmediate();
  }

  /** Whether the operation names memory of the peer. */
  public boolean isRemoteAccess() {
    return wireOperation != null && wireOperation != Operation.SEND;
  }

  public boolean hasImmediate() {
    return this == SEND_WITH_IMM || this == RDMA_WRITE_WITH_IMM;
  }

  /** Whether the data is an argument of the builder method, not of a setter. */
  public boolean isDataOfTheBuilder() {
    return content == OF_THE_BUILDER;
  }

  /** Whether the operation accepts {@link io.queuepair.verbs.SendFlag#INLINE}. */
  public boolean mayBeInline() {
    return content == ANY || content == OF_THE_BUILDER;
  }

  /** Setters that may follow the builder of the operation on a queue pair type. */
  public Set<WrSetter> setters(QpType type) {
    Set<WrSetter> setters = EnumSet.noneOf(WrSetter.class);
    setters.addAll(content.setters);
    setters.addAll(addressing(type));
    return setters;
  }

  /** Whether a data setter may follow the builder of the operation. */
  public boolean takes(WrSetter setter) {
    return content.setters.contains(setter);
  }

  /** Setters of the destination on a queue pair type. */
  public Set<WrSetter> addressing(QpType type) {
    return content == NOTHING ? Set.of() : WrSetter.addressing(type);
  }

  /** Whether Soft-RoCE of Linux 6.1 lacks the operation for all types. */
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
    NOTHING,

    /** Arguments of the builder method. */
    OF_THE_BUILDER,

    /** Registered memory. */
    ENTRIES(WrSetter.SGE),

    /** Registered memory or inline bytes. */
    ANY(WrSetter.SGE, WrSetter.INLINE_DATA);

    private final Set<WrSetter> setters = EnumSet.noneOf(WrSetter.class);

    Content(WrSetter... setters) {
      Collections.addAll(this.setters, setters);
    }
  }

  /** Setters that follow a builder; a setter and its list form count as one. */
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

    public String method() {
      return method;
    }

    /** Whether the setter gives data, which a request takes once. */
    public boolean isData() {
      return this == SGE || this == INLINE_DATA;
    }

    /** Destination setters that every request with packets needs on a queue pair type. */
    public static Set<WrSetter> addressing(QpType type) {
      return switch (type) {
        case UD -> DATAGRAM;
        case XRC_SEND -> SHARED_QUEUE;
        case RC, UC, RAW_PACKET, XRC_RECV, DRIVER -> NOTHING;
      };
    }
  }
}
