// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.OdpCaps;
import io.queuepair.verbs.OdpGeneralCap;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.VerbsConstant;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** {@code struct ibv_device_attr_ex}, which begins with {@code struct ibv_device_attr}. */
final class DeviceAttrStruct {
  private static final int SIZE = 400;
  private static final int FW_VER_ROOM = 64;

  /** Offsets of limits that have 32 bits. */
  private static final Map<DeviceLimit, Integer> LIMITS = new EnumMap<>(DeviceLimit.class);

  static {
    LIMITS.put(DeviceLimit.MAX_QP, 108);
    LIMITS.put(DeviceLimit.MAX_QP_WR, 112);
    LIMITS.put(DeviceLimit.MAX_SGE, 120);
    LIMITS.put(DeviceLimit.MAX_SGE_RD, 124);
    LIMITS.put(DeviceLimit.MAX_CQ, 128);
    LIMITS.put(DeviceLimit.MAX_CQE, 132);
    LIMITS.put(DeviceLimit.MAX_MR, 136);
    LIMITS.put(DeviceLimit.MAX_PD, 140);
    LIMITS.put(DeviceLimit.MAX_QP_RD_ATOM, 144);
    LIMITS.put(DeviceLimit.MAX_EE_RD_ATOM, 148);
    LIMITS.put(DeviceLimit.MAX_RES_RD_ATOM, 152);
    LIMITS.put(DeviceLimit.MAX_QP_INIT_RD_ATOM, 156);
    LIMITS.put(DeviceLimit.MAX_EE_INIT_RD_ATOM, 160);
    LIMITS.put(DeviceLimit.MAX_EE, 168);
    LIMITS.put(DeviceLimit.MAX_RDD, 172);
    LIMITS.put(DeviceLimit.MAX_MW, 176);
    LIMITS.put(DeviceLimit.MAX_RAW_IPV6_QP, 180);
    LIMITS.put(DeviceLimit.MAX_RAW_ETHY_QP, 184);
    LIMITS.put(DeviceLimit.MAX_MCAST_GRP, 188);
    LIMITS.put(DeviceLimit.MAX_MCAST_QP_ATTACH, 192);
    LIMITS.put(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, 196);
    LIMITS.put(DeviceLimit.MAX_AH, 200);
    LIMITS.put(DeviceLimit.MAX_FMR, 204);
    LIMITS.put(DeviceLimit.MAX_SRQ, 212);
    LIMITS.put(DeviceLimit.MAX_SRQ_WR, 216);
    LIMITS.put(DeviceLimit.MAX_SRQ_SGE, 220);
  }

  private DeviceAttrStruct() {}

  static void write(ByteBuffer args, int at, DeviceAttrEx attr) {
    Args.clear(args, at, SIZE);
    writeOrig(args, at, attr.origAttr());
    args.putLong(at + 240, generalOdpCaps(attr.odpCaps()));
    args.putInt(at + 248, VerbsConstant.mask(attr.odpCaps().rc()));
    args.putInt(at + 252, VerbsConstant.mask(attr.odpCaps().uc()));
    args.putInt(at + 256, VerbsConstant.mask(attr.odpCaps().ud()));
    args.putLong(at + 264, attr.completionTimestampMask());
    args.putLong(at + 272, attr.hcaCoreClock());
    int caps = VerbsConstant.mask(attr.origAttr().deviceCapFlags());
    args.putLong(at + 280, Integer.toUnsignedLong(caps));
    args.putInt(at + 288, (int) attr.tsoCaps().maxTso());
    args.putInt(at + 292, queuePairTypes(attr.tsoCaps().supportedQpts()));
    RssCaps rss = attr.rssCaps();
    args.putInt(at + 296, queuePairTypes(rss.supportedQpts()));
    args.putInt(at + 300, rss.maxRwqIndirectionTables());
    args.putInt(at + 304, rss.maxRwqIndirectionTableSize());
    int fields = VerbsConstant.mask(rss.rxHashFields());
    args.putLong(at + 312, Integer.toUnsignedLong(fields));
    args.put(at + 320, (byte) VerbsConstant.mask(rss.rxHashFunctions()));
    args.putInt(at + 328, attr.maxWqTypeRq());
    args.putInt(at + 332, (int) attr.packetPacingCaps().qpRateLimitMin());
    args.putInt(at + 336, (int) attr.packetPacingCaps().qpRateLimitMax());
    args.putInt(at + 340, queuePairTypes(attr.packetPacingCaps().supportedQpts()));
    args.putInt(at + 344, VerbsConstant.mask(attr.rawPacketCaps()));
    args.putShort(at + 368, (short) attr.cqModCaps().maxCqCount());
    args.putShort(at + 370, (short) attr.cqModCaps().maxCqPeriod());
    args.putLong(at + 376, attr.maxDmSize());
    args.putInt(at + 392, VerbsConstant.mask(attr.odpCaps().xrc()));
    args.putInt(at + 396, attr.physPortCntEx());
  }

  /** Bit mask of types: bit n is the type with code n. */
  private static int queuePairTypes(Set<QpType> types) {
    int bits = 0;
    for (QpType type : types) {
      bits |= 1 << type.code();
    }
    return bits;
  }

  private static void writeOrig(ByteBuffer args, int at, DeviceAttr attr) {
    Args.putText(args, at, attr.fwVer(), FW_VER_ROOM);
    args.order(ByteOrder.BIG_ENDIAN);
    args.putLong(at + 64, attr.nodeGuid());
    args.putLong(at + 72, attr.sysImageGuid());
    Args.of(args);
    args.putLong(at + 80, attr.limit(DeviceLimit.MAX_MR_SIZE));
    args.putLong(at + 88, attr.limit(DeviceLimit.PAGE_SIZE_CAP));
    args.putInt(at + 96, attr.vendorId());
    args.putInt(at + 100, attr.vendorPartId());
    args.putInt(at + 104, attr.hwVer());
    args.putInt(at + 116, VerbsConstant.mask(attr.deviceCapFlags()));
    args.putInt(at + 164, attr.atomicCap().code());
    LIMITS.forEach((limit, place) -> args.putInt(at + place, clamp(attr.limit(limit))));
    args.putShort(at + 224, (short) attr.limit(DeviceLimit.MAX_PKEYS));
    args.put(at + 226, (byte) attr.limit(DeviceLimit.LOCAL_CA_ACK_DELAY));
    args.put(at + 227, (byte) attr.physPortCnt());
  }

  private static int clamp(long limit) {
    return (int) Math.min(limit, Integer.MAX_VALUE);
  }

  /** Adds IBV_ODP_SUPPORT_IMPLICIT: on-demand regions may cover the whole address space. */
  private static long generalOdpCaps(OdpCaps caps) {
    long mask = VerbsConstant.mask(caps.general());
    return mask == 0 ? 0 : mask | OdpGeneralCap.SUPPORT_IMPLICIT.code();
  }
}
