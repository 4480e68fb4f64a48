// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.TsoCaps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emulated device: limits, capabilities, table sizes and quirks. Immutable; the {@code with}
 * methods return changed copies.
 */
public final class DeviceProfile {
  private static final Logger LOG = LoggerFactory.getLogger(SanitizerFinding.class);
  private static final int MAX_PORTS = 255;
  private static final int DEFAULT_PKEY = 0xffff;
  private static final DeviceProfile STANDARD = new DeviceProfile(BuiltInProfiles.standard());

  /** Never changed after construction. */
  private final ProfileSettings settings;

  /** Unmodifiable view of the quirks in the settings, shared by all queue pairs. */
  private final Set<Quirk> quirks;

  private DeviceProfile(ProfileSettings settings) {
    this.settings = settings;
    quirks = Collections.unmodifiableSet(settings.quirks);
  }

  /**
   * The default device: generous limits, all features of the emulator, behaviour as documented.
   *
   * @return the profile, always the same object
   */
  public static DeviceProfile standard() {
    return STANDARD;
  }

  /**
   * Linux Soft-RoCE: {@code rdma_rxe} of Linux 6.1 under rdma-core 44, with every {@link Quirk}.
   * Bugs of its data path are not copied.
   *
   * @return the profile
   */
  public static DeviceProfile softRoce() {
    return new DeviceProfile(BuiltInProfiles.softRoce());
  }

  /** {@return every limit that is offered, as {@code ibv_query_device} reports it} */
  public Map<DeviceLimit, Long> limits() {
    return Collections.unmodifiableMap(settings.limits);
  }

  /**
   * One limit.
   *
   * @param limit which
   * @return its value, unsigned; 0 if not offered
   */
  public long limit(DeviceLimit limit) {
    return settings.limits.getOrDefault(limit, 0L);
  }

  /** {@return what the device says it can do} */
  public Set<DeviceCapFlag> capabilities() {
    return Collections.unmodifiableSet(settings.capabilities);
  }

  /**
   * Whether the device says it can do something.
   *
   * @param capability what
   * @return true if it does
   */
  public boolean can(DeviceCapFlag capability) {
    return settings.capabilities.contains(capability);
  }

  /** {@return in which ways the device differs from the documents} */
  public Set<Quirk> quirks() {
    return quirks;
  }

  /**
   * Whether the device differs from the documents in one way.
   *
   * @param quirk which
   * @return true if it does
   */
  public boolean has(Quirk quirk) {
    return settings.quirks.contains(quirk);
  }

  /**
   * Whether the device has queue pairs of a type, if its network allows it.
   *
   * @param type which
   * @return true if it does
   */
  public boolean offers(QpType type) {
    return switch (type) {
      case RC, UC, UD -> true;
      case XRC_SEND, XRC_RECV -> can(DeviceCapFlag.XRC);
      case RAW_PACKET -> !has(Quirk.NO_RAW_PACKETS);
      case DRIVER -> false;
    };
  }

  /** {@return the transitions of a queue pair that {@code ibv_modify_qp} offers} */
  public TransitionTable transitions() {
    return has(Quirk.LINUX_TRANSITIONS) ? TransitionTable.linux() : TransitionTable.documented();
  }

  /** {@return the scope of atomics} */
  public AtomicCap atomicCap() {
    return settings.atomicCap;
  }

  /** {@return bytes of inline data a queue pair may ask for} */
  public int maxInlineData() {
    return settings.maxInlineData;
  }

  /** {@return bytes of the largest message, as {@code ibv_query_port} reports them} */
  public long maxMessageBytes() {
    return settings.maxMessageBytes;
  }

  /** {@return capability bits of a port, {@code enum ibv_port_cap_flags}} */
  public int portCapFlags() {
    return settings.portCapFlags;
  }

  /** {@return the number of ports, 1 to 255} */
  public int ports() {
    return settings.ports;
  }

  /**
   * {@return the P_Key table of ports without one of their own: 16-bit entries, 0 in empty slots}
   */
  public List<Integer> pkeys() {
    return Collections.unmodifiableList(settings.pkeys);
  }

  /**
   * The P_Key table that a port begins with.
   *
   * @param portNum number of the port, from 1
   * @return unsigned 16-bit entries, 0 in empty slots
   */
  public List<Integer> pkeys(int portNum) {
    return Collections.unmodifiableList(
        settings.pkeysOfPorts.getOrDefault(portNum, settings.pkeys));
  }

  /** {@return the slots of the GID table of every port} */
  public int gidTableLength() {
    return settings.gidTableLength;
  }

  /** {@return bytes of device memory, as of {@code ibv_alloc_dm}; 0 if there is none} */
  public long maxDmSize() {
    return settings.maxDmSize;
  }

  /** {@return whether the lkey and the rkey of a region differ} */
  public boolean hasSeparateKeys() {
    return settings.separateKeys;
  }

  /**
   * {@return capabilities of segmenting large sends, as {@code ibv_query_device_ex} reports them}
   */
  public TsoCaps tsoCaps() {
    return settings.tsoCaps;
  }

  /** {@return capabilities of receive side scaling, as {@code ibv_query_device_ex} reports them} */
  public RssCaps rssCaps() {
    return settings.rssCaps;
  }

  /** {@return bytes of the longest header in front of segmented data} */
  public int maxTsoHeader() {
    return settings.maxTsoHeader;
  }

  /** {@return capabilities for raw packets, as {@code ibv_query_device_ex} reports them} */
  public Set<RawPacketCap> rawPacketCaps() {
    return Collections.unmodifiableSet(settings.rawPacketCaps);
  }

  /** {@return how much a requester keeps in flight} */
  public SendWindowConfig sendWindow() {
    return settings.sendWindow;
  }

  /**
   * {@return whether raw packets are offered on networks that are no Ethernet segment, within the
   * device}
   */
  public boolean loopsRawPackets() {
    return settings.loopsRawPackets;
  }

  /** {@return whether a sanitizer looks for misuse that devices do not detect} */
  public boolean isSanitized() {
    return settings.findingListener != null;
  }

  /** {@return the listener for findings of the sanitizer; empty if there is none} */
  public Optional<Consumer<SanitizerFinding>> findingListener() {
    return Optional.ofNullable(settings.findingListener);
  }

  private DeviceProfile changed(Consumer<ProfileSettings> change) {
    ProfileSettings newSettings = new ProfileSettings(settings);
    change.accept(newSettings);
    return new DeviceProfile(newSettings);
  }

  /**
   * A copy with one limit changed.
   *
   * @param limit which
   * @param value its new value, unsigned
   * @return a new profile
   */
  public DeviceProfile withLimit(DeviceLimit limit, long value) {
    return changed(s -> s.limits.put(limit, value));
  }

  /**
   * A copy with another capability.
   *
   * @param capability the one to add
   * @return a new profile
   */
  public DeviceProfile with(DeviceCapFlag capability) {
    return changed(s -> s.capabilities.add(capability));
  }

  /**
   * A copy without a capability.
   *
   * @param capability the one to remove
   * @return a new profile
   */
  public DeviceProfile without(DeviceCapFlag capability) {
    return changed(s -> s.capabilities.remove(capability));
  }

  /**
   * A copy with a quirk.
   *
   * @param quirk the one to add
   * @return a new profile
   */
  public DeviceProfile with(Quirk quirk) {
    return changed(s -> s.quirks.add(quirk));
  }

  /**
   * A copy with another number of ports.
   *
   * @param count 1 to 255
   * @return a new profile
   * @throws IllegalArgumentException if there are fewer or more
   */
  public DeviceProfile withPorts(int count) {
    if (count < 1 || count > MAX_PORTS) {
      throw new IllegalArgumentException(count + " ports are not 1 to " + MAX_PORTS);
    }
    return changed(s -> s.ports = count);
  }

  /**
   * A copy with other P_Keys in the first slots of the tables of all its ports, and no others. A
   * table grows if it has too few slots.
   *
   * @param pkeys unsigned 16-bit; 0 leaves a slot empty
   * @return a new profile
   * @throws IllegalArgumentException if one has more than 16 bits
   */
  public DeviceProfile withPkeys(int... pkeys) {
    List<Integer> table = pkeyTable(pkeys);
    return changed(
        s -> {
          s.pkeys = table;
          s.pkeysOfPorts.clear();
          s.limits.merge(DeviceLimit.MAX_PKEYS, (long) table.size(), Math::max);
        });
  }

  /**
   * A copy with other P_Keys in the first slots of the table of one port, and no others. The table
   * grows if it has too few slots.
   *
   * @param portNum number of the port, 1 to the number of ports
   * @param pkeys unsigned 16-bit; 0 leaves a slot empty
   * @return a new profile
   * @throws IllegalArgumentException if there is no such port, or a key has more than 16 bits
   */
  public DeviceProfile withPkeysOfPort(int portNum, int... pkeys) {
    if (portNum < 1 || portNum > settings.ports) {
      throw new IllegalArgumentException("port " + portNum + " is not 1 to " + settings.ports);
    }
    List<Integer> table = pkeyTable(pkeys);
    return changed(
        s -> {
          s.pkeysOfPorts.put(portNum, table);
          s.limits.merge(DeviceLimit.MAX_PKEYS, (long) table.size(), Math::max);
        });
  }

  private List<Integer> pkeyTable(int... pkeys) {
    List<Integer> table = new ArrayList<>();
    for (int pkey : pkeys) {
      if (pkey >>> 16 != 0) {
        throw new IllegalArgumentException("P_Key " + pkey + " has more than 16 bits");
      }
      table.add(pkey);
    }
    while (table.size() < settings.pkeys.size()) {
      table.add(0);
    }
    return table;
  }

  /**
   * A copy with regions whose lkey and rkey differ, so that one cannot be used for the other.
   *
   * @return a new profile
   */
  public DeviceProfile withSeparateKeys() {
    return changed(s -> s.separateKeys = true);
  }

  /**
   * A copy with queue pairs of type RAW_PACKET on networks that are no Ethernet segment. There, a
   * frame that one of them sends reaches the flows of the same device only.
   *
   * @return a new profile
   */
  public DeviceProfile withRawLoopback() {
    return changed(s -> s.loopsRawPackets = true);
  }

  /**
   * A copy with other pacing.
   *
   * @param sendWindow how much a requester keeps in flight
   * @return a new profile
   */
  public DeviceProfile withPacing(SendWindowConfig sendWindow) {
    return changed(s -> s.sendWindow = sendWindow);
  }

  /**
   * A copy with a sanitizer, which reports misuse that hardware does not detect: every {@link
   * SanitizerFindingKind}. Findings are logged at WARN, and kept ({@code
   * EmulatedDevice.sanitizerFindings}). Memory of receives, READs and atomics is overwritten with
   * the byte 0xdb when they are posted; work requests and the status of completions stay as they
   * are. Costs time and memory.
   *
   * @return a new profile
   */
  public DeviceProfile sanitized() {
    return sanitized(finding -> LOG.warn("{}", finding));
  }

  /**
   * A copy with a sanitizer and a listener in place of the log.
   *
   * @param findingListener called by the thread that finds the misuse, under the lock of the
   *     device, so it must not call the device; called for the first 1,000 findings of a device
   *     only
   * @return a new profile
   */
  public DeviceProfile sanitized(Consumer<SanitizerFinding> findingListener) {
    Objects.requireNonNull(findingListener, "listener");
    return changed(s -> s.findingListener = findingListener);
  }

  /** Content of a profile, mutable while one is built. */
  static final class ProfileSettings {
    final Map<DeviceLimit, Long> limits = new EnumMap<>(DeviceLimit.class);
    final Set<DeviceCapFlag> capabilities = EnumSet.noneOf(DeviceCapFlag.class);
    final Set<Quirk> quirks = EnumSet.noneOf(Quirk.class);
    AtomicCap atomicCap = AtomicCap.NONE;
    int maxInlineData;
    long maxMessageBytes;
    int portCapFlags;
    int ports = 1;
    List<Integer> pkeys = List.of(DEFAULT_PKEY);

    /** P_Key tables of ports that have one of their own, by port number. */
    final Map<Integer, List<Integer>> pkeysOfPorts = new TreeMap<>();

    int gidTableLength;
    TsoCaps tsoCaps = TsoCaps.NONE;
    RssCaps rssCaps = RssCaps.NONE;
    int maxTsoHeader;
    final Set<RawPacketCap> rawPacketCaps = EnumSet.noneOf(RawPacketCap.class);
    SendWindowConfig sendWindow = SendWindowConfig.standard();
    long maxDmSize;
    boolean separateKeys;
    boolean loopsRawPackets;

    /** Null without a sanitizer. */
    @Nullable Consumer<SanitizerFinding> findingListener;

    ProfileSettings() {}

    ProfileSettings(ProfileSettings other) {
      limits.putAll(other.limits);
      capabilities.addAll(other.capabilities);
      quirks.addAll(other.quirks);
      atomicCap = other.atomicCap;
      maxInlineData = other.maxInlineData;
      maxMessageBytes = other.maxMessageBytes;
      portCapFlags = other.portCapFlags;
      ports = other.ports;
      pkeys = other.pkeys;
      pkeysOfPorts.putAll(other.pkeysOfPorts);
      gidTableLength = other.gidTableLength;
      tsoCaps = other.tsoCaps;
      rssCaps = other.rssCaps;
      maxTsoHeader = other.maxTsoHeader;
      rawPacketCaps.addAll(other.rawPacketCaps);
      sendWindow = other.sendWindow;
      maxDmSize = other.maxDmSize;
      separateKeys = other.separateKeys;
      loopsRawPackets = other.loopsRawPackets;
      findingListener = other.findingListener;
    }
  }
}
