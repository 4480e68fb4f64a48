// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Answers NETLINK_RDMA requests of programs such as rdma(8), about devices, ports, objects and
 * counters, as {@code drivers/infiniband/core/nldev.c} does. Thread-safe.
 */
final class NetlinkRdma {
  // From include/uapi/linux/netlink.h.
  private static final int NLMSG_ERROR = 2;
  private static final int NLMSG_DONE = 3;
  private static final int NLM_F_MULTI = 2;
  private static final int NLM_F_ACK = 4;
  private static final int NLM_F_DUMP = 0x300;

  // From include/uapi/rdma/rdma_netlink.h: the client, its commands, and their attributes.
  private static final int NLDEV = 5 << 10;
  private static final int GET = 1;
  private static final int PORT_GET = 5;
  private static final int SYS_GET = 6;
  private static final int RES_GET = 9;
  private static final int STAT_GET = 17;
  private static final int DEV_INDEX = 1;
  private static final int DEV_NAME = 2;
  private static final int PORT_INDEX = 3;
  private static final int CAP_FLAGS = 4;
  private static final int FW_VERSION = 5;
  private static final int NODE_GUID = 6;
  private static final int SYS_IMAGE_GUID = 7;
  private static final int PORT_STATE = 12;
  private static final int PORT_PHYS_STATE = 13;
  private static final int DEV_NODE_TYPE = 14;
  private static final int RES_SUMMARY = 15;
  private static final int RES_SUMMARY_ENTRY = 16;
  private static final int RES_SUMMARY_ENTRY_NAME = 17;
  private static final int RES_SUMMARY_ENTRY_CURR = 18;
  private static final int RES_LQPN = 21;
  private static final int RES_RQPN = 22;
  private static final int RES_RQ_PSN = 23;
  private static final int RES_SQ_PSN = 24;
  private static final int RES_PATH_MIG_STATE = 25;
  private static final int RES_TYPE = 26;
  private static final int RES_STATE = 27;
  private static final int RES_PID = 28;
  private static final int RES_PS = 32;
  private static final int RES_SRC_ADDR = 33;
  private static final int RES_DST_ADDR = 34;
  private static final int RES_CQE = 37;
  private static final int RES_USECNT = 38;
  private static final int RES_RKEY = 42;
  private static final int RES_LKEY = 43;
  private static final int RES_IOVA = 44;
  private static final int RES_MRLEN = 45;
  private static final int NDEV_INDEX = 50;
  private static final int NDEV_NAME = 51;
  private static final int RES_CM_IDN = 63;
  private static final int RES_CTXN = 64;
  private static final int NETNS_MODE = 66;
  private static final int DEV_PROTOCOL = 67;
  private static final int STAT_RES = 75;
  private static final int STAT_HWCOUNTERS = 80;
  private static final int STAT_HWCOUNTER_ENTRY = 81;
  private static final int STAT_HWCOUNTER_ENTRY_NAME = 82;
  private static final int STAT_HWCOUNTER_ENTRY_VALUE = 83;
  private static final int RES_SRQN = 90;
  private static final int COPY_ON_FORK = 93;

  private static final int SOCKADDR_STORAGE = 128;

  /** RDMA_CM_LISTEN of {@code enum rdma_cm_state}. */
  private static final int LISTEN = 8;

  private static final Set<QpType> CONNECTED =
      Set.of(QpType.RC, QpType.UC, QpType.XRC_SEND, QpType.XRC_RECV);

  /** Kind of object that the kernel lists: its command, and the attribute of the list. */
  private enum Resource {
    PD(14, 46, ProtectionDomain.class),
    CQ(12, 35, CompletionQueue.class),
    QP(10, 19, QueuePair.class),
    MR(13, 40, MemoryRegion.class),
    SRQ(23, 88, SharedReceiveQueue.class),
    CM_ID(11, 30, RdmaCmObject.class),
    CTX(22, 86, Context.class);

    private final int command;
    private final int table;
    private final Class<?> type;

    Resource(int command, int table, Class<?> type) {
      this.command = command;
      this.table = table;
      this.type = type;
    }
  }

  /** An object, the number of its file, and the process that opened the file. */
  private record Owned(Object object, int number, int process) {}

  private final Map<Integer, Context> contexts = new HashMap<>();
  private final HandleTable handles;

  /**
   * Opens the devices to answer for.
   *
   * @param handles objects of programs
   */
  NetlinkRdma(List<Device> devices, HandleTable handles) {
    devices.forEach(device -> contexts.put(device.index(), device.open()));
    this.handles = handles;
  }

  /** A request, and the consumer of its answers. */
  private record Request(
      int command,
      int flags,
      int sequence,
      int port,
      Map<Integer, Integer> attributes,
      Consumer<ByteBuffer> output) {
    boolean isDump() {
      return (flags & NLM_F_DUMP) == NLM_F_DUMP;
    }

    NetlinkMessage message() {
      return new NetlinkMessage(NLDEV | command, isDump() ? NLM_F_MULTI : 0, sequence, port);
    }

    void answer(NetlinkMessage message) {
      output.accept(message.complete());
    }
  }

  /**
   * Answers a message.
   *
   * @param length of the message in bytes
   * @param port of the sender
   * @param output takes each message of the answer: its bytes from 0 to its position
   */
  void answer(ByteBuffer message, int length, int port, Consumer<ByteBuffer> output) {
    if (length < NetlinkMessage.HEADER) {
      return;
    }
    int type = Short.toUnsignedInt(message.getShort(4));
    int flags = Short.toUnsignedInt(message.getShort(6));
    int sequence = message.getInt(8);
    Request request =
        new Request(type ^ NLDEV, flags, sequence, port, attributes(message, length), output);
    int errno = 0;
    try {
      if (!answer(request)) {
        errno = Errno.EOPNOTSUPP.code();
      }
    } catch (VerbsException refused) {
      errno = refused.errno().code();
    }
    if (errno == 0 && request.isDump()) {
      request.answer(new NetlinkMessage(NLMSG_DONE, NLM_F_MULTI, sequence, port).raw(0));
    } else if (errno != 0 || (flags & NLM_F_ACK) != 0) {
      NetlinkMessage end = new NetlinkMessage(NLMSG_ERROR, 0, sequence, port).raw(-errno);
      for (int at = 0; at < NetlinkMessage.HEADER; at += Integer.BYTES) {
        end.raw(message.getInt(at));
      }
      request.answer(end);
    }
  }

  /** Attributes of four bytes in a request, which select a device or a port. */
  private static Map<Integer, Integer> attributes(ByteBuffer message, int length) {
    Map<Integer, Integer> found = new HashMap<>();
    int at = NetlinkMessage.HEADER;
    while (at + 2 * Integer.BYTES <= length) {
      int bytes = Short.toUnsignedInt(message.getShort(at));
      if (bytes == 2 * Integer.BYTES) {
        found.put(Short.toUnsignedInt(message.getShort(at + 2)), message.getInt(at + 4));
      }
      at += Math.max(Integer.BYTES, (bytes + 3) & ~3);
    }
    return found;
  }

  /** Answers a request; false if its command is not supported. */
  private boolean answer(Request request) {
    if (request.command == SYS_GET) {
      request.answer(request.message().u8(NETNS_MODE, 1).u8(COPY_ON_FORK, 1));
      return true;
    }
    if (request.command == GET && request.isDump()) {
      contexts.values().forEach(context -> device(request, context));
      return true;
    }
    for (Resource resource : Resource.values()) {
      if (resource.command == request.command && request.isDump()) {
        list(request, resource, context(request));
        return true;
      }
    }
    switch (request.command) {
      case GET -> device(request, context(request));
      case PORT_GET -> ports(request, context(request));
      case RES_GET -> summary(request);
      case STAT_GET -> {
        return statistics(request);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private Context context(Request request) {
    Context found = contexts.get(request.attributes.getOrDefault(DEV_INDEX, -1));
    if (found == null) {
      throw new VerbsException(Errno.EINVAL, "netlink", "there is no such device");
    }
    return found;
  }

  private static NetlinkMessage about(Request request, Context context) {
    Device device = context.device();
    return request.message().u32(DEV_INDEX, device.index()).text(DEV_NAME, device.name());
  }

  private static void device(Request request, Context context) {
    DeviceAttr attr = context.queryDevice();
    NetlinkMessage message = about(request, context).u32(PORT_INDEX, attr.physPortCnt());
    int flags = VerbsConstant.mask(attr.deviceCapFlags());
    message.u64(CAP_FLAGS, Integer.toUnsignedLong(flags));
    if (!attr.fwVer().isEmpty()) {
      message.text(FW_VERSION, attr.fwVer());
    }
    message.u64(NODE_GUID, attr.nodeGuid()).u64(SYS_IMAGE_GUID, attr.sysImageGuid());
    message.u8(DEV_NODE_TYPE, context.device().nodeType().code()).text(DEV_PROTOCOL, "roce");
    request.answer(message);
  }

  private static void ports(Request request, Context context) {
    int count = context.queryDevice().physPortCnt();
    int first = request.isDump() ? 1 : request.attributes.getOrDefault(PORT_INDEX, 0);
    for (int port = first; port == first || (port <= count && request.isDump()); port++) {
      PortAttr attr = context.queryPort(port);
      NetlinkMessage message = about(request, context).u32(PORT_INDEX, port);
      message.u64(CAP_FLAGS, Integer.toUnsignedLong(attr.portCapFlags()));
      message.u8(PORT_STATE, attr.state().code()).u8(PORT_PHYS_STATE, attr.physState());
      SysfsDevice.interfaceOf(context.queryGid(port, 0))
          .ifPresent(
              found -> message.u32(NDEV_INDEX, found.getIndex()).text(NDEV_NAME, found.getName()));
      request.answer(message);
    }
  }

  private Stream<Owned> all(Resource resource, Context context) {
    List<Owned> found = new ArrayList<>();
    handles.forEach(
        (file, object) -> {
          List<?> all = object instanceof RdmaCmFile cm ? cm.ids() : List.of(object);
          for (Object each : all) {
            if (resource.type.isInstance(each) && isOf(context.device(), file, each)) {
              found.add(
                  new Owned(
                      each, (int) (file.handle() >>> HandleTable.PLACE_BITS), file.opener.process));
            }
          }
        });
    return found.stream();
  }

  /** Whether an object of a file is of a device. Ids listening on all devices are of each. */
  private boolean isOf(Device device, OpenFile file, Object object) {
    Object own = object instanceof RdmaCmObject id ? id.id.verbs() : handles.find(file.handle());
    return own instanceof Context context
        ? context.device().index() == device.index()
        : object instanceof RdmaCmObject id && id.state() == LISTEN;
  }

  private static ProtectionDomain domainOf(Object object) {
    if (object instanceof QueuePair qp) {
      return qp.pd();
    }
    if (object instanceof MemoryRegion mr) {
      return mr.pd();
    }
    if (object instanceof SharedReceiveQueue srq) {
      return srq.pd();
    }
    return (ProtectionDomain) object;
  }

  private void summary(Request request) {
    Context context = context(request);
    NetlinkMessage message = about(request, context);
    message.nested(
        RES_SUMMARY,
        () -> {
          for (Resource resource : Resource.values()) {
            String name = resource.name().toLowerCase(Locale.ROOT);
            long count = all(resource, context).count();
            message.nested(
                RES_SUMMARY_ENTRY,
                () ->
                    message.text(RES_SUMMARY_ENTRY_NAME, name).u64(RES_SUMMARY_ENTRY_CURR, count));
          }
        });
    request.answer(message);
  }

  private void list(Request request, Resource resource, Context context) {
    Iterator<Owned> rest = all(resource, context).iterator();
    do {
      NetlinkMessage message = about(request, context);
      message.nested(
          resource.table,
          () -> {
            while (rest.hasNext() && !message.isLong()) {
              Owned each = rest.next();
              message.nestedIf(
                  resource.table + 1, () -> hasWritten(message, request, resource, each, context));
            }
          });
      request.answer(message);
    } while (rest.hasNext());
  }

  /** Writes an object of a list; false if it is of another port, or was destroyed meanwhile. */
  private boolean hasWritten(
      NetlinkMessage message, Request request, Resource resource, Owned owned, Context context) {
    Object object = owned.object;
    switch (resource) {
      case QP -> {
        if (!hasWritten(message, request, (QueuePair) object)) {
          return false;
        }
      }
      case CQ -> {
        long users =
            all(Resource.QP, context)
                .map(each -> ((QueuePair) each.object).initAttr())
                .flatMap(init -> Stream.of(init.sendCq(), init.recvCq()))
                .filter(cq -> cq == object)
                .count();
        message.u32(RES_CQE, ((CompletionQueue) object).cqe()).u64(RES_USECNT, users);
      }
      case PD -> {
        long users =
            Stream.of(Resource.QP, Resource.MR, Resource.SRQ)
                .flatMap(kind -> all(kind, context))
                .filter(each -> domainOf(each.object) == object)
                .count();
        message.u64(RES_USECNT, users);
      }
      case MR -> {
        MemoryRegion mr = (MemoryRegion) object;
        message.u32(RES_RKEY, mr.rkey()).u32(RES_LKEY, mr.lkey());
        message.u64(RES_IOVA, mr.addr()).u64(RES_MRLEN, mr.size());
      }
      case SRQ -> message.u32(RES_SRQN, ((SharedReceiveQueue) object).srqNum());
      case CM_ID -> {
        if (!hasWritten(message, request, (RdmaCmObject) object)) {
          return false;
        }
      }
      case CTX -> message.u32(RES_CTXN, owned.number);
    }
    message.u32(RES_PID, owned.process);
    return true;
  }

  /** Writes the port of an object, if it has one; false if the request is for another port. */
  private static boolean hasWrittenPort(NetlinkMessage message, Request request, int port) {
    if (request.attributes.getOrDefault(PORT_INDEX, port) != port) {
      return false;
    }
    if (port != 0) {
      message.u32(PORT_INDEX, port);
    }
    return true;
  }

  private static boolean hasWritten(NetlinkMessage message, Request request, RdmaCmObject object) {
    RdmaCmId id = object.id;
    if (!hasWrittenPort(message, request, id.portNum())) {
      return false;
    }
    message.u32(RES_PS, id.ps().code()).u8(RES_TYPE, id.qpType().code());
    message.u8(RES_STATE, object.state()).u32(RES_CM_IDN, object.number);
    address(message, RES_SRC_ADDR, id.localAddr());
    address(message, RES_DST_ADDR, id.peerAddr());
    return true;
  }

  /** Adds {@code struct sockaddr_storage}, unless the address is null. */
  private static void address(NetlinkMessage message, int type, InetSocketAddress address) {
    if (address != null) {
      ByteBuffer storage = ByteBuffer.allocate(SOCKADDR_STORAGE).order(ByteOrder.nativeOrder());
      SockaddrStruct.write(storage, 0, address);
      message.bytes(type, storage.array());
    }
  }

  private static boolean hasWritten(NetlinkMessage message, Request request, QueuePair qp) {
    QpAttr attr;
    try {
      attr = qp.query();
    } catch (VerbsException destroyed) {
      return false;
    }
    if (!hasWrittenPort(message, request, attr.portNum())) {
      return false;
    }
    QpType type = qp.initAttr().qpType();
    message.u32(RES_LQPN, qp.qpNum());
    if (type == QpType.RC || type == QpType.UC) {
      message.u32(RES_RQPN, attr.destQpNum()).u32(RES_RQ_PSN, attr.rqPsn());
    }
    message.u32(RES_SQ_PSN, attr.sqPsn());
    if (CONNECTED.contains(type)) {
      message.u8(RES_PATH_MIG_STATE, attr.pathMigState().code());
    }
    message.u8(RES_TYPE, type.code()).u8(RES_STATE, attr.qpState().code());
    return true;
  }

  /** Answers with the counters of a port, as queue pairs have none; false if unsupported. */
  private boolean statistics(Request request) {
    if (request.attributes.containsKey(STAT_RES)) {
      return request.isDump();
    }
    Context context = context(request);
    int port = request.attributes.getOrDefault(PORT_INDEX, 0);
    NetlinkMessage message = about(request, context).u32(PORT_INDEX, port);
    message.nested(
        STAT_HWCOUNTERS,
        () ->
            context
                .hwCounters(port)
                .forEach(
                    (counter, value) ->
                        message.nested(
                            STAT_HWCOUNTER_ENTRY,
                            () ->
                                message
                                    .text(STAT_HWCOUNTER_ENTRY_NAME, counter.fileName())
                                    .u64(STAT_HWCOUNTER_ENTRY_VALUE, value))));
    request.answer(message);
    return true;
  }
}
