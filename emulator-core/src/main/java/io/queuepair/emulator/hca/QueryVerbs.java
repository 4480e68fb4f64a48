// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EthL2;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.OdpCaps;
import io.queuepair.verbs.OdpGeneralCap;
import io.queuepair.verbs.OdpTransportCap;
import io.queuepair.verbs.PacketPacingCaps;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.TsoCaps;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The verbs that query a device or a port. */
public final class QueryVerbs {
  private static final String NO_FIRMWARE = "";
  private static final int NO_VENDOR = 0xff_ffff;

  /** Timestamps count nanoseconds. */
  private static final long CLOCK_KHZ = 1_000_000;

  private final DeviceProfile profile;
  private final Ports ports;
  private final Engine engine;
  private final QpVerbs queuePairs;
  private final WqVerbs workQueues;

  QueryVerbs(
      DeviceProfile profile, Ports ports, Engine engine, QpVerbs queuePairs, WqVerbs workQueues) {
    this.profile = profile;
    this.ports = ports;
    this.engine = engine;
    this.queuePairs = queuePairs;
    this.workQueues = workQueues;
  }

  public DeviceAttr device(long guid) {
    return new DeviceAttr(
        profile.has(Quirk.FIRMWARE_ZERO) ? "0.0.0" : NO_FIRMWARE,
        guid,
        guid,
        NO_VENDOR,
        0,
        0,
        capabilities(),
        profile.atomicCap(),
        profile.maxInlineData(),
        profile.ports(),
        profile.limits());
  }

  /** Capabilities of the profile, adjusted to what the network offers. */
  private Set<DeviceCapFlag> capabilities() {
    Set<DeviceCapFlag> capabilities = EnumSet.noneOf(DeviceCapFlag.class);
    capabilities.addAll(profile.capabilities());
    if (queuePairs.offerRawPackets()) {
      capabilities.add(DeviceCapFlag.MANAGED_FLOW_STEERING);
    } else {
      capabilities.remove(DeviceCapFlag.RAW_IP_CSUM);
    }
    return capabilities;
  }

  public DeviceAttrEx deviceEx(long guid) {
    boolean hasTimestamps = !profile.has(Quirk.NO_CQ_EXTENSIONS);
    return new DeviceAttrEx(
        device(guid),
        paging(),
        hasTimestamps ? -1L : 0,
        hasTimestamps ? CLOCK_KHZ : 0,
        segmentation(),
        workQueues.caps(),
        workQueues.max(),
        queuePairs.offerRawPackets() ? queuePairs.pacingCaps() : PacketPacingCaps.NONE,
        queuePairs.offerRawPackets() ? profile.rawPacketCaps() : Set.of(),
        CqVerbs.moderation(profile),
        profile.maxDmSize(),
        profile.ports());
  }

  /** Paging capabilities. Memory is never paged out, so on-demand paging works, too. */
  private OdpCaps paging() {
    if (profile.has(Quirk.UNKNOWN_ACCESS_EINVAL)) {
      return OdpCaps.NONE;
    }
    Set<OdpTransportCap> allCaps = EnumSet.allOf(OdpTransportCap.class);
    Set<OdpTransportCap> xrcCaps = EnumSet.copyOf(allCaps);
    xrcCaps.removeAll(EnumSet.of(OdpTransportCap.FLUSH, OdpTransportCap.ATOMIC_WRITE));
    return new OdpCaps(
        EnumSet.of(OdpGeneralCap.SUPPORT),
        allCaps,
        EnumSet.of(OdpTransportCap.SEND, OdpTransportCap.RECV, OdpTransportCap.WRITE),
        EnumSet.of(OdpTransportCap.SEND, OdpTransportCap.RECV, OdpTransportCap.SRQ_RECV),
        xrcCaps);
  }

  private TsoCaps segmentation() {
    TsoCaps caps = profile.tsoCaps();
    if (caps.maxTso() == 0 || queuePairs.offerRawPackets()) {
      return caps;
    }
    Set<QpType> types = EnumSet.copyOf(caps.supportedQpts());
    types.remove(QpType.RAW_PACKET);
    return new TsoCaps(caps.maxTso(), types);
  }

  public PortAttr port(String verb, int portNum) {
    Port port = ports.port(verb, portNum);
    return port.attributes(
        engine.statistics().drops(portNum, DropReason.BAD_PKEY),
        engine.statistics().drops(portNum, DropReason.BAD_QKEY));
  }

  public long portSpeed(String verb, int portNum) {
    CreationRules.checkOffered(verb, profile);
    return ports.port(verb, portNum).speed();
  }

  public Map<HwCounter, Long> hwCounters(String verb, int portNum) {
    ports.port(verb, portNum);
    return engine.statistics().counters(portNum);
  }

  public GidEntry gid(String verb, int portNum, int index) {
    GidEntry entry = ports.port(verb, portNum).entry(verb, portNum, index);
    if (entry.gid().isZero()) {
      throw new VerbsException(
          Errno.ENODATA, verb, "GID index " + index + " is an empty slot of port " + portNum);
    }
    return entry;
  }

  public List<GidEntry> gids(String verb, int maxEntries) {
    List<GidEntry> gidEntries = new ArrayList<>();
    for (int portNum = 1; portNum <= profile.ports(); portNum++) {
      gidEntries.addAll(ports.port(verb, portNum).entries(verb, portNum));
    }
    if (gidEntries.size() > maxEntries) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "there are "
              + gidEntries.size()
              + " entries, more than the "
              + maxEntries
              + " asked for");
    }
    return gidEntries;
  }

  public EthL2 ethernet(String verb, AhAttr attr) {
    AddressRules.checkReachable(verb, attr, ports);
    return new EthL2(Ethernet.macOf(attr.grh().dgid().toAddress()), EthL2.NO_VLAN);
  }
}
