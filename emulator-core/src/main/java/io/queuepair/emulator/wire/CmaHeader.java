// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Header of {@code rdma_cm} at the start of the private data of a REQ and of a SIDR_REQ: the IP
 * addresses of both sides ({@code struct cma_hdr}; InfiniBand Architecture, annex A11).
 *
 * @param version eight bits; a receiver refuses any but {@link #VERSION}
 * @param ipVersion four bits: 4 or 6; any other value means that there are no IP addresses
 * @param sourcePort port of the active side
 * @param source address of the active side in sixteen bytes; an IPv4 address is in the last four,
 *     after zeros
 * @param destination address of the passive side in the same form
 */
public record CmaHeader(int version, int ipVersion, int sourcePort, Gid source, Gid destination) {
  public static final int BYTES = 36;

  public static final int VERSION = 0;

  private static final int IP_VERSION_AT = 1;
  private static final int PORT_AT = 2;
  private static final int SOURCE_AT = 4;
  private static final int DESTINATION_AT = 20;

  /** Prefix of five bytes that service IDs of IP addresses have (annex A11.2.1). */
  private static final long SERVICE_PREFIX = 1;

  private static final int SERVICE_PREFIX_SHIFT = 24;
  private static final long IPV4_MASK = 0xffff_ffffL;

  /** Creates the header for two addresses of one family. */
  public static CmaHeader of(InetAddress source, int sourcePort, InetAddress destination) {
    int ipVersion = source instanceof Inet4Address ? 4 : 6;
    return new CmaHeader(
        VERSION, ipVersion, sourcePort, sixteenBytes(source), sixteenBytes(destination));
  }

  private static Gid sixteenBytes(InetAddress address) {
    Gid gid = Gid.of(address);
    return gid.isIpv4Mapped() ? new Gid(0, gid.interfaceId() & IPV4_MASK) : gid;
  }

  /** Reads the header at the start of the private data of a REQ or SIDR_REQ. */
  public static CmaHeader read(ImmutableBytes privateBytes) {
    ByteBuffer bytes = privateBytes.toBuffer();
    return new CmaHeader(
        Byte.toUnsignedInt(bytes.get(0)),
        bytes.get(IP_VERSION_AT) >>> 4 & 0xf,
        Short.toUnsignedInt(bytes.getShort(PORT_AT)),
        new Gid(bytes.getLong(SOURCE_AT), bytes.getLong(SOURCE_AT + Long.BYTES)),
        new Gid(bytes.getLong(DESTINATION_AT), bytes.getLong(DESTINATION_AT + Long.BYTES)));
  }

  /** Whether a service ID is one of {@code rdma_cm}, whose requests begin with the header. */
  public static boolean isExpectedFor(long serviceId) {
    return serviceId >>> SERVICE_PREFIX_SHIFT == SERVICE_PREFIX;
  }

  /** Part of a line in a ladder: the addresses and the port. */
  String addresses() {
    return String.format(
        " from=%s port=%d to=%s",
        sourceAddress().getHostAddress(), sourcePort, destinationAddress().getHostAddress());
  }

  /** Private data of the program, without the header. */
  public static ImmutableBytes userBytes(ImmutableBytes privateBytes) {
    return privateBytes.from(BYTES);
  }

  /** Private data that consists of the header and of the data of a program. */
  public ImmutableBytes before(ImmutableBytes userBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.put(0, (byte) version);
    bytes.put(IP_VERSION_AT, (byte) (ipVersion << 4));
    bytes.putShort(PORT_AT, (short) sourcePort);
    bytes.putLong(SOURCE_AT, source.subnetPrefix());
    bytes.putLong(SOURCE_AT + Long.BYTES, source.interfaceId());
    bytes.putLong(DESTINATION_AT, destination.subnetPrefix());
    bytes.putLong(DESTINATION_AT + Long.BYTES, destination.interfaceId());
    return ImmutableBytes.of(bytes.array()).then(userBytes);
  }

  /** Whether the version is known and the addresses are IP addresses. */
  public boolean hasIpAddresses() {
    return version == VERSION && (ipVersion == 4 || ipVersion == 6);
  }

  /** IP address of the active side. */
  public InetAddress sourceAddress() {
    return address(source);
  }

  /** IP address of the passive side. */
  public InetAddress destinationAddress() {
    return address(destination);
  }

  private InetAddress address(Gid gid) {
    assert hasIpAddresses() : this;
    return ipVersion == 4 ? ipv4Mapped(gid).toAddress() : gid.toAddress();
  }

  private static Gid ipv4Mapped(Gid gid) {
    return new Gid(0, 0xffff_0000_0000L | (gid.interfaceId() & IPV4_MASK));
  }
}
