// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

import io.queuepair.emulator.profile.DeviceProfile.ProfileSettings;
import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.RxHashFunction;
import io.queuepair.verbs.TsoCaps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The built-in device profiles. */
final class BuiltInProfiles {
  private static final int STANDARD_PORTS = 2;
  private static final int STANDARD_PKEY_SLOTS = 16;
  private static final long STANDARD_MAX_TSO = 1 << 18;

  /** Enough for Ethernet with a VLAN tag, 40 bytes of IPv6 and 60 of TCP. */
  private static final int STANDARD_MAX_TSO_HEADER = 512;

  private static final int STANDARD_MAX_RSS_TABLES = 1 << 16;
  private static final int STANDARD_MAX_RSS_PLACES = 512;

  private static final int CAP_CM = 1 << 16;
  private static final int CAP_IP_BASED_GIDS = 1 << 26;

  private static final Set<DeviceCapFlag> STANDARD_CAPABILITIES =
      EnumSet.of(
          DeviceCapFlag.RESIZE_MAX_WR,
          DeviceCapFlag.BAD_PKEY_CNTR,
          DeviceCapFlag.BAD_QKEY_CNTR,
          DeviceCapFlag.UD_AV_PORT_ENFORCE,
          DeviceCapFlag.AUTO_PATH_MIG,
          DeviceCapFlag.CHANGE_PHY_PORT,
          DeviceCapFlag.XRC,
          DeviceCapFlag.SRQ_RESIZE,
          DeviceCapFlag.CURR_QP_STATE_MOD,
          DeviceCapFlag.UD_IP_CSUM,
          DeviceCapFlag.RAW_IP_CSUM,
          DeviceCapFlag.SYS_IMAGE_GUID,
          DeviceCapFlag.RC_RNR_NAK_GEN,
          DeviceCapFlag.MEM_WINDOW,
          DeviceCapFlag.MEM_WINDOW_TYPE_2B);

  private static final Set<DeviceCapFlag> SOFT_ROCE_CAPABILITIES =
      EnumSet.of(
          DeviceCapFlag.BAD_PKEY_CNTR,
          DeviceCapFlag.BAD_QKEY_CNTR,
          DeviceCapFlag.AUTO_PATH_MIG,
          DeviceCapFlag.CHANGE_PHY_PORT,
          DeviceCapFlag.UD_AV_PORT_ENFORCE,
          DeviceCapFlag.PORT_ACTIVE_EVENT,
          DeviceCapFlag.SYS_IMAGE_GUID,
          DeviceCapFlag.RC_RNR_NAK_GEN,
          DeviceCapFlag.SRQ_RESIZE,
          DeviceCapFlag.MEM_MGT_EXTENSIONS,
          DeviceCapFlag.MEM_WINDOW,
          DeviceCapFlag.MEM_WINDOW_TYPE_2B);

  private BuiltInProfiles() {}

  static ProfileSettings standard() {
    ProfileSettings settings = new ProfileSettings();
    settings.limits.put(DeviceLimit.MAX_MR_SIZE, (long) Integer.MAX_VALUE);
    settings.limits.put(DeviceLimit.PAGE_SIZE_CAP, 0xffff_f000L);
    settings.limits.put(DeviceLimit.MAX_QP, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_QP_WR, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SGE, 32L);
    settings.limits.put(DeviceLimit.MAX_SGE_RD, 32L);
    settings.limits.put(DeviceLimit.MAX_CQ, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_CQE, 1L << 22);
    settings.limits.put(DeviceLimit.MAX_MR, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_MW, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_PD, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_QP_RD_ATOM, 128L);
    settings.limits.put(DeviceLimit.MAX_RES_RD_ATOM, 1L << 27);
    settings.limits.put(DeviceLimit.MAX_QP_INIT_RD_ATOM, 128L);
    settings.limits.put(DeviceLimit.MAX_MCAST_GRP, 8_192L);
    settings.limits.put(DeviceLimit.MAX_MCAST_QP_ATTACH, 56L);
    settings.limits.put(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, 8_192L * 56);
    settings.limits.put(DeviceLimit.MAX_AH, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SRQ, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SRQ_WR, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SRQ_SGE, 32L);
    settings.limits.put(DeviceLimit.MAX_PKEYS, (long) STANDARD_PKEY_SLOTS);
    settings.limits.put(DeviceLimit.LOCAL_CA_ACK_DELAY, 15L);
    settings.capabilities.addAll(STANDARD_CAPABILITIES);
    settings.atomicCap = AtomicCap.HCA;
    settings.maxInlineData = 512;
    settings.maxMessageBytes = 1L << 31;
    settings.maxDmSize = 1L << 20;
    settings.portCapFlags = CAP_IP_BASED_GIDS;
    settings.ports = STANDARD_PORTS;
    List<Integer> pkeys = new ArrayList<>(Collections.nCopies(STANDARD_PKEY_SLOTS, 0));
    pkeys.set(0, settings.pkeys.get(0));
    settings.pkeys = pkeys;
    settings.gidTableLength = 16;
    settings.tsoCaps = new TsoCaps(STANDARD_MAX_TSO, Set.of(QpType.UD, QpType.RAW_PACKET));
    settings.maxTsoHeader = STANDARD_MAX_TSO_HEADER;
    settings.rssCaps =
        new RssCaps(
            Set.of(QpType.RAW_PACKET),
            STANDARD_MAX_RSS_TABLES,
            STANDARD_MAX_RSS_PLACES,
            EnumSet.range(RxHashField.SRC_IPV4, RxHashField.DST_PORT_UDP),
            EnumSet.of(RxHashFunction.FUNC_TOEPLITZ));
    settings.rawPacketCaps.add(RawPacketCap.CVLAN_STRIPPING);
    settings.rawPacketCaps.add(RawPacketCap.IP_CSUM);
    return settings;
  }

  /** Values that {@code ibv_devinfo -v} showed for a device, and values of {@code rxe_param.h}. */
  static ProfileSettings softRoce() {
    ProfileSettings settings = new ProfileSettings();
    settings.limits.put(DeviceLimit.MAX_MR_SIZE, -1L);
    settings.limits.put(DeviceLimit.PAGE_SIZE_CAP, 0xffff_f000L);
    settings.limits.put(DeviceLimit.MAX_QP, 1_048_560L);
    settings.limits.put(DeviceLimit.MAX_QP_WR, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SGE, 32L);
    settings.limits.put(DeviceLimit.MAX_SGE_RD, 32L);
    settings.limits.put(DeviceLimit.MAX_CQ, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_CQE, 32_767L);
    settings.limits.put(DeviceLimit.MAX_MR, 524_287L);
    settings.limits.put(DeviceLimit.MAX_MW, 524_287L);
    settings.limits.put(DeviceLimit.MAX_PD, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_QP_RD_ATOM, 128L);
    settings.limits.put(DeviceLimit.MAX_RES_RD_ATOM, 258_048L);
    settings.limits.put(DeviceLimit.MAX_QP_INIT_RD_ATOM, 128L);
    settings.limits.put(DeviceLimit.MAX_MCAST_GRP, 8_192L);
    settings.limits.put(DeviceLimit.MAX_MCAST_QP_ATTACH, 56L);
    settings.limits.put(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, 458_752L);
    settings.limits.put(DeviceLimit.MAX_AH, 32_767L);
    settings.limits.put(DeviceLimit.MAX_SRQ, 917_503L);
    settings.limits.put(DeviceLimit.MAX_SRQ_WR, 1L << 20);
    settings.limits.put(DeviceLimit.MAX_SRQ_SGE, 27L);
    settings.limits.put(DeviceLimit.MAX_PKEYS, 64L);
    settings.limits.put(DeviceLimit.LOCAL_CA_ACK_DELAY, 15L);
    settings.capabilities.addAll(SOFT_ROCE_CAPABILITIES);
    settings.quirks.addAll(EnumSet.allOf(Quirk.class));
    settings.atomicCap = AtomicCap.HCA;
    settings.maxInlineData = 512;
    settings.maxMessageBytes = 1L << 23;
    settings.portCapFlags = CAP_CM;
    settings.gidTableLength = 1024;
    settings.sendWindow = SendWindowConfig.softRoce();
    return settings;
  }
}
