package io.queuepair.emulator.profile;

import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which device is emulated: its limits, capabilities and table sizes. Immutable; the {@code with}
 * methods return changed copies.
 *
 * @param limits every limit that is offered, as {@code ibv_query_device} reports it
 * @param capabilities what the device says it can do
 * @param atomicCap scope of atomics
 * @param maxInlineData bytes of inline data a queue pair may ask for
 * @param pkeys the P_Key table, unsigned 16-bit entries
 * @param gidTableLength slots of the GID table
 * @param pacing how much a requester keeps in flight
 */
public record DeviceProfile(
    Map<DeviceLimit, Long> limits,
    Set<DeviceCapFlag> capabilities,
    AtomicCap atomicCap,
    int maxInlineData,
    List<Integer> pkeys,
    int gidTableLength,
    Pacing pacing) {

  /**
   * The default device: generous limits, everything the emulator can do.
   *
   * @return the profile
   */
  public static DeviceProfile standard() {
    Map<DeviceLimit, Long> limits = new EnumMap<>(DeviceLimit.class);
    limits.put(DeviceLimit.MAX_MR_SIZE, (long) Integer.MAX_VALUE);
    limits.put(DeviceLimit.PAGE_SIZE_CAP, 0xffff_f000L);
    limits.put(DeviceLimit.MAX_QP, 1L << 20);
    limits.put(DeviceLimit.MAX_QP_WR, 1L << 20);
    limits.put(DeviceLimit.MAX_SGE, 32L);
    limits.put(DeviceLimit.MAX_SGE_RD, 32L);
    limits.put(DeviceLimit.MAX_CQ, 1L << 20);
    limits.put(DeviceLimit.MAX_CQE, 1L << 22);
    limits.put(DeviceLimit.MAX_MR, 1L << 20);
    limits.put(DeviceLimit.MAX_PD, 1L << 20);
    limits.put(DeviceLimit.MAX_QP_RD_ATOM, 128L);
    limits.put(DeviceLimit.MAX_RES_RD_ATOM, 1L << 27);
    limits.put(DeviceLimit.MAX_QP_INIT_RD_ATOM, 128L);
    limits.put(DeviceLimit.MAX_MCAST_GRP, 8192L);
    limits.put(DeviceLimit.MAX_MCAST_QP_ATTACH, 56L);
    limits.put(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, 8192L * 56);
    limits.put(DeviceLimit.MAX_AH, 1L << 20);
    limits.put(DeviceLimit.MAX_SRQ, 1L << 20);
    limits.put(DeviceLimit.MAX_SRQ_WR, 1L << 20);
    limits.put(DeviceLimit.MAX_SRQ_SGE, 32L);
    limits.put(DeviceLimit.MAX_PKEYS, 1L);
    limits.put(DeviceLimit.LOCAL_CA_ACK_DELAY, 15L);
    Set<DeviceCapFlag> capabilities =
        EnumSet.of(
            DeviceCapFlag.BAD_PKEY_CNTR,
            DeviceCapFlag.BAD_QKEY_CNTR,
            DeviceCapFlag.CURR_QP_STATE_MOD,
            DeviceCapFlag.SYS_IMAGE_GUID,
            DeviceCapFlag.RC_RNR_NAK_GEN);
    return new DeviceProfile(
        Collections.unmodifiableMap(limits),
        Collections.unmodifiableSet(capabilities),
        AtomicCap.HCA,
        512,
        List.of(0xffff),
        16,
        Pacing.standard());
  }

  /**
   * One limit.
   *
   * @param limit which
   * @return its value; 0 if not offered
   */
  public long limit(DeviceLimit limit) {
    return limits.getOrDefault(limit, 0L);
  }

  /**
   * The same device with one limit changed.
   *
   * @param limit which
   * @param value its new value
   * @return a new profile
   */
  public DeviceProfile withLimit(DeviceLimit limit, long value) {
    Map<DeviceLimit, Long> changed = new EnumMap<>(limits);
    changed.put(limit, value);
    return new DeviceProfile(
        Collections.unmodifiableMap(changed),
        capabilities,
        atomicCap,
        maxInlineData,
        pkeys,
        gidTableLength,
        pacing);
  }

  /**
   * The same device with other pacing.
   *
   * @param newPacing how much a requester keeps in flight
   * @return a new profile
   */
  public DeviceProfile withPacing(Pacing newPacing) {
    return new DeviceProfile(
        limits, capabilities, atomicCap, maxInlineData, pkeys, gidTableLength, newPacing);
  }
}
