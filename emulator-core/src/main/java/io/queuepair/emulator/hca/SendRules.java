// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendOperation.WrSetter;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.UdDestination;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Checks of {@code ibv_post_send}; keys and addresses are checked at execution. */
public final class SendRules {
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int ATOMIC_BYTES = 8;
  private static final int MAX_24_BITS = 0xff_ffff;

  /** {@code mss} is a field of 16 bits. */
  private static final int MAX_MSS = 0xffff;

  private static final Set<QpState> SENDING =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  private final ScatterGather scatterGather;
  private final DomainRelation areOfOneContext;

  /**
   * Creates the checks of one device.
   *
   * @param areOfOneContext whether two protection domains belong to one context
   */
  public SendRules(MemoryTable memory, DomainRelation areOfOneContext) {
    this.scatterGather = memory.scatterGather();
    this.areOfOneContext = areOfOneContext;
  }

  /** Relation between two protection domains, by their numbers. */
  public interface DomainRelation {
    boolean holds(int domain, int other);
  }

  /**
   * Checks a send, and accepts it.
   *
   * @param wqe entry with the request, whose destination is resolved
   */
  public void check(QpContext qp, SendWqe wqe, WrPosition position) {
    SendRequest request = wqe.request();
    if (!SENDING.contains(qp.state())) {
      throw position.refusal("sends are not accepted in state " + qp.state());
    }
    WorkError error = checkOperation(qp, request, position);
    if (error == null) {
      checkAddress(qp, request, position);
    }
    checkRoom(qp, request, position);
    String negative = request.sges().negativeLength();
    if (negative != null) {
      throw position.refusal(negative);
    }
    Payload value = request.value();
    long length = value == null ? request.sges().totalLength() : value.length();
    if (error == null) {
      checkLength(qp, request, length, position);
      checkOffloads(qp, request, length, position);
    }
    if (value != null && !request.operation().isDataOfTheBuilder()) {
      checkInline(qp, request, value.length(), position);
    }
    boolean signaled = qp.setup().sqSigAll() || request.has(SendFlag.SIGNALED);
    wqe.accept(length, inlineData(qp, request, position), signaled);
    Payload copiedPayload = request.copied();
    if (copiedPayload != null
        && copiedPayload.length() == length
        && scatterGather.isOfProcess(request.sges())) {
      scatterGather.staging().keep(wqe.staged(), copiedPayload);
    }
    if (error != null) {
      wqe.fail(error);
    } else if (mayNeverStart(qp, wqe)) {
      throw position.refusal("MAX_QP_RD_ATOMIC is 0, so no " + wqe.opcode() + " could ever start");
    }
  }

  /** Data that is copied from the application at posting, or null. */
  private @Nullable Payload inlineData(QpContext qp, SendRequest request, WrPosition position) {
    if (!request.has(SendFlag.INLINE)) {
      checkIsMemory(request, position);
      return request.value();
    }
    if (qp.has(Quirk.INLINE_READS_FAIL_LATE) && !request.operation().mayBeInline()) {
      // As in Linux Soft-RoCE: the data overwrites the entries, so that the response finds no
      // memory.
      request.sges().forgetAddresses();
      return null;
    }
    return captureInline(qp, request, position);
  }

  /** Whether a request would wait for ever: MAX_QP_RD_ATOMIC is 0. In ERR it is flushed. */
  private static boolean mayNeverStart(QpContext qp, SendWqe wqe) {
    return wqe.operation().needsResponse()
        && qp.attributes().maxRdAtomic() == 0
        && qp.state() != QpState.ERR;
  }

  /** Checks the operation. Returns the error of its completion if it is reported late. */
  private static @Nullable WorkError checkOperation(
      QpContext qp, SendRequest request, WrPosition position) {
    boolean failsLate = qp.has(Quirk.WRONG_OPERATIONS_FAIL_LATE);
    boolean isOffered =
        request.operation().isOffered(qp.type())
            && !(failsLate && request.operation().isUnknownToLinux61());
    if (!isOffered && failsLate) {
      return new WorkError(
          WcStatus.LOC_QP_OP_ERR, request.opcode() + " is not an operation of type " + qp.type());
    }
    if (!isOffered) {
      String why =
          qp.type() == QpType.UC && request.operation() == SendOperation.SEND_WITH_INV
              ? ": no opcode on the wire could carry it, though the man page lists it"
              : "";
      throw position.refusal(request.opcode() + " is not an operation of type " + qp.type() + why);
    }
    return null;
  }

  private static void checkAddress(QpContext qp, SendRequest request, WrPosition position) {
    Set<WrSetter> neededSetters = request.operation().addressing(qp.type());
    boolean isDatagram = neededSetters.contains(WrSetter.UD_ADDR);
    if (isDatagram != request.isDatagram()) {
      throw position.refusal(
          isDatagram
              ? "type UD needs an address for every request"
              : "only type UD takes an address, not " + qp.type());
    }
    boolean isXrc = qp.type() == QpType.XRC_SEND;
    boolean needsQueue = neededSetters.contains(WrSetter.XRC_SRQN);
    if (isXrc ? needsQueue && request.remoteSrqn() == 0 : request.remoteSrqn() != 0) {
      throw position.refusal(
          isXrc
              ? "type XRC_SEND needs the number of a shared receive queue for every request"
              : "type " + qp.type() + " does not address shared receive queues");
    }
  }

  private static void checkLength(
      QpContext qp, SendRequest request, long length, WrPosition position) {
    if (length > MAX_MESSAGE_BYTES) {
      throw position.refusal("a message of " + length + " bytes is longer than 2^31");
    }
    boolean isEightBytes = request.operation().isAtomic();
    boolean mayBeLonger = qp.has(Quirk.ATOMICS_CHECKED_EARLY);
    if (mayBeLonger && isEightBytes && isMisaligned(request)) {
      throw position.refusal("the address of an atomic is not a multiple of 8");
    }
    if (isEightBytes && (mayBeLonger ? length < ATOMIC_BYTES : length != ATOMIC_BYTES)) {
      throw position.refusal(request.opcode() + " works on 8 bytes, not " + length);
    }
    if (request.flush() != null) {
      checkFlush(request.flush(), position);
    }
  }

  private static void checkOffloads(
      QpContext qp, SendRequest request, long length, WrPosition position) {
    // Types that carry no IP ignore the flag.
    boolean carriesIp = qp.type() == QpType.UD || qp.type() == QpType.RAW_PACKET;
    if (carriesIp
        && request.has(SendFlag.IP_CSUM)
        && !qp.setup().offloads().checksums()
        && !qp.has(Quirk.CHECKSUM_FLAG_IGNORED)) {
      throw position.refusal("IP_CSUM is not offered by this device for type " + qp.type());
    }
    TsoWr tso = request.tso();
    if (tso != null) {
      String refusal = segmentationRefusal(qp, tso, length);
      if (refusal != null) {
        throw position.refusal(refusal);
      }
      request.details(withOwnHeader(tso));
    }
  }

  /**
   * Reason why a large send cannot be segmented, or null. The segment size counts payload only:
   * ibv_post_send(3) leaves that open; the mlx4 and mlx5 providers do the same.
   *
   * @param length bytes of the payload
   */
  private static @Nullable String segmentationRefusal(QpContext qp, TsoWr tso, long length) {
    Offloads offloads = qp.setup().offloads();
    int hdrBytes = tso.hdr().remaining();
    int least = qp.type() == QpType.RAW_PACKET ? Ethernet.HEADER_BYTES : 0;
    String refusal = null;
    if (offloads.maxTsoHeader() == 0) {
      refusal = "the queue pair was created without max_tso_header";
    } else if (hdrBytes > offloads.maxTsoHeader()) {
      String granted = " bytes is longer than max_tso_header, " + offloads.maxTsoHeader();
      refusal = "a header of " + hdrBytes + granted;
    } else if (hdrBytes < least) {
      refusal = "a header of " + hdrBytes + " bytes has no room for that of Ethernet, " + least;
    } else if (tso.mss() < 1 || tso.mss() > MAX_MSS) {
      refusal = "mss " + tso.mss() + " is not 1 to " + MAX_MSS;
    } else if (length > offloads.maxTso()) {
      refusal = length + " bytes are more than max_tso, " + offloads.maxTso();
    } else if (counted(qp, tso.hdr()) + tso.mss() > qp.portMtuBytes()) {
      String mtu = " do not fit the MTU, " + qp.portMtuBytes();
      refusal = "a header of " + hdrBytes + " bytes and an mss of " + tso.mss() + mtu;
    }
    return refusal;
  }

  /** Bytes of a header that count for the MTU: the Ethernet header and a VLAN tag do not. */
  private static int counted(QpContext qp, ByteBuffer hdr) {
    if (qp.type() != QpType.RAW_PACKET) {
      return hdr.remaining();
    }
    boolean isTagged = new RawFrame(copyOf(hdr)).hasVlanTag();
    int link = Ethernet.HEADER_BYTES + (isTagged ? Ethernet.VLAN_BYTES : 0);
    return hdr.remaining() - link;
  }

  /** Copies a large send with its header, as the application may change its own header later. */
  private static TsoWr withOwnHeader(TsoWr tso) {
    return new TsoWr(tso.wrId(), tso.sgList(), tso.flags(), copyOf(tso.hdr()).buffer(), tso.mss());
  }

  private static Payload copyOf(ByteBuffer hdr) {
    return new Payload(hdr, hdr.position(), hdr.remaining()).copy();
  }

  private static boolean isMisaligned(SendRequest request) {
    return request.remoteAddr() % ATOMIC_BYTES != 0;
  }

  private static void checkFlush(FlushWr flush, WrPosition position) {
    if (flush.placements().isEmpty()) {
      throw position.refusal("a FLUSH needs at least one placement to wait for");
    }
    if (flush.length() >>> 32 != 0) {
      throw position.refusal("a FLUSH of " + flush.length() + " bytes is not 0 to 2^32 - 1");
    }
  }

  private static void checkInline(
      QpContext qp, SendRequest request, long length, WrPosition position) {
    if (!request.operation().mayBeInline()) {
      throw position.refusal(request.opcode() + " cannot be inline");
    }
    int limit = qp.setup().cap().maxInlineData();
    if (length > limit) {
      throw position.noRoom(
          qp, Errno.EINVAL, length + " bytes inline are more than the limit of " + limit);
    }
  }

  private Payload captureInline(QpContext qp, SendRequest request, WrPosition position) {
    SgeArray sges = request.sges();
    long length = sges.totalLength();
    checkInline(qp, request, length, position);
    Payload payload = request.reserveInline((int) length);
    if (sges.areOwn()) {
      scatterGather.copyAnywhere(sges, payload.buffer(), domain -> false); // No region is needed.
      return payload;
    }
    // In C inline data is read through a plain pointer, whatever the lkey is.
    IntPredicate ofContext = domain -> areOfOneContext.holds(domain, qp.domain());
    if (!scatterGather.copyAnywhere(sges, payload.buffer(), ofContext)) {
      int missing = scatterGather.firstMissing(sges, ofContext);
      throw position.refusal(
          String.format(
              "inline data cannot be read: the context has no region with the %d bytes at 0x%x"
                  + " (Sge.inline takes bytes of any memory)",
              sges.length(missing), sges.addr(missing)));
    }
    return payload;
  }

  private static void checkIsMemory(SendRequest request, WrPosition position) {
    int withData = request.sges().firstOwn();
    if (withData >= 0) {
      throw position.refusal(
          "entry " + withData + " holds inline data, which needs the flag INLINE");
    }
  }

  /**
   * Resolves the destination of a request, or the window of its bind.
   *
   * @param ports ports of the device
   */
  static void resolve(Ports ports, QpContext qp, SendWqe wqe, WrPosition position) {
    SendRequest request = wqe.request();
    if (request.isDatagram()) {
      wqe.setTarget(target(ports, qp, request, position));
    }
    check24Bits("shared receive queue", request.remoteSrqn(), position);
    if (request.bind() != null) {
      wqe.setBind(bindOf(request.bind(), position));
    }
  }

  private static UdDestination target(
      Ports ports, QpContext qp, SendRequest request, WrPosition position) {
    boolean isLiteral = qp.has(Quirk.UD_ADDRESS_UNCHECKED);
    if (request.ah() == null) {
      throw position.refusal("there is no address handle");
    }
    if (!isLiteral) {
      check24Bits("queue pair", request.remoteQpn(), position);
    }
    HcaObject.Address ah = (HcaObject.Address) request.ah();
    try {
      ah.lifecycle().check(position.verb());
    } catch (VerbsException e) {
      throw position.refusal("the address handle is gone");
    }
    if (ah.ports() != ports) {
      throw position.refusal("the address handle belongs to another device");
    }
    checkPath(ports, qp, ah.attr(), position);
    // A Q_Key with the top bit set stands for the Q_Key of the sending queue pair.
    int qkey =
        request.remoteQkey() < 0 && !isLiteral ? qp.attributes().qkey() : request.remoteQkey();
    return new UdDestination(
        ports.datagramRoute(qp, ah.attr()), ah.domain(), request.remoteQpn() & MAX_24_BITS, qkey);
  }

  private static void checkPath(Ports ports, QpContext qp, AhAttr ahAttr, WrPosition position) {
    boolean enforcesPort = ports.profile().can(DeviceCapFlag.UD_AV_PORT_ENFORCE);
    int ownPort = qp.attributes().portNum(); // 0 in ERR after RESET, where nothing is sent.
    if (enforcesPort && ownPort != 0 && ahAttr.portNum() != ownPort) {
      throw position.refusal(
          "the address handle is of port "
              + ahAttr.portNum()
              + ", the queue pair of port "
              + ownPort
              + " (UD_AV_PORT_ENFORCE)");
    }
    if (!ports.hasSourceFor(ahAttr)) {
      throw position.refusal(
          "the own address of the address handle, GID index "
              + ahAttr.grh().sgidIndex()
              + " of port "
              + ahAttr.portNum()
              + ", is gone");
    }
  }

  private static void check24Bits(String what, int number, WrPosition position) {
    if (number < 0 || number > MAX_24_BITS) {
      throw position.refusal("the " + what + " number has more than 24 bits");
    }
  }

  /** Bind that a work request asks for; further checks follow when it is executed. */
  private static MwBindRequest bindOf(BindMwWr wr, WrPosition position) {
    if (!(wr.mw() instanceof HcaObject.Window mw)) {
      throw position.refusal("there is no memory window");
    }
    if (mw.type() == MwType.TYPE_1) {
      throw position.refusal("a memory window of type 1 is bound by ibv_bind_mw");
    }
    return bindOf(mw, wr.rkey(), wr.binding());
  }

  /** Refuses a type without binds, at once even where other wrong operations fail late. */
  static void checkBinds(QpContext qp) {
    if (!SendOperation.BIND_MW.isOffered(qp.type())) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_bind_mw", "BIND_MW is not an operation of type " + qp.type());
    }
  }

  static MwBindRequest bindOf(HcaObject.Window mw, int newKey, MwBindInfo binding) {
    RegisteredMemory region = binding.mr() instanceof HcaObject.Region mr ? mr.memory() : null;
    Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
    access.addAll(binding.access());
    MemoryRange range = new MemoryRange(binding.addr(), binding.length());
    return new MwBindRequest(mw.window(), newKey, region, range, access);
  }

  /** Room in the send queue; if it is half full, polled completions are looked up first. */
  static int room(QpContext qp) {
    int capacity = qp.sendQueue().capacity();
    if (2 * qp.sendSlots().inUse() >= capacity && qp.sendCompletions() != null) {
      qp.sendCompletions().reap();
    }
    return capacity - qp.sendSlots().inUse();
  }

  private static void checkRoom(QpContext qp, SendRequest request, WrPosition position) {
    if (room(qp) <= position.ahead()) {
      throw position.noRoom(qp, Errno.ENOMEM, fullInWords(qp));
    }
    int limit = qp.setup().cap().maxSendSge();
    if (request.sges().size() > limit) {
      throw position.noRoom(qp, Errno.EINVAL, request.sges().tooMany(limit));
    }
  }

  private static String fullInWords(QpContext qp) {
    String full = "the send queue is full: it holds " + qp.sendQueue().capacity();
    int done = qp.sendSlots().inUse() - qp.sendQueue().size();
    if (done == 0) {
      return full;
    }
    return qp.sendSlots().canBePolled()
        ? full + " (done and waiting only for a poll: " + done + ")"
        : full + ", of which none is signaled, so that no poll will free a slot";
  }
}
